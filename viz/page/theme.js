/* Light or dark: as the reader's system prefers, or as is chosen here, which the browser keeps. */

const preference = matchMedia('(prefers-color-scheme: dark)');
const themes = ['reader', 'light', 'dark'];

function isDark() {
    const theme = document.documentElement.dataset.theme;
    return theme === 'dark' || (theme !== 'light' && preference.matches);
}

function setTheme(theme) {
    const known = themes.includes(theme) ? theme : 'reader';
    document.documentElement.dataset.theme = known;
    document.getElementById('theme').value = known;
}

/* That of a report may be fixed. */
if (document.documentElement.dataset.theme === 'reader')
    setTheme(kept('theme'));
else
    document.getElementById('themes').hidden = true;

function chooseTheme(theme) {
    keep('theme', theme);
    setTheme(theme);
    page.repaint();
}

document.getElementById('theme').addEventListener(
    'change', event => chooseTheme(event.target.value));
preference.addEventListener('change', () => page.repaint());
