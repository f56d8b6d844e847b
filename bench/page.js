/* Watches the served page as it is used: put into it before its own script, by bench/page.py.
 * `bench.begins` are times at which something was done, `changes` those at which the plot was
 * another one after that, as it was painted, `marks` what the page says of its pictures ('coarse',
 * 'full'), `frames` what lay between two frames. */
(() => {
    const bench = window.bench = {begins: [], changes: [], marks: [], frames: [], said: false};
    let drawn = 0, seen = '', waited = false, last = 0;

    bench.begin = time => {
        bench.begins.push(time);
        waited = true;
    };
    bench.forget = () => {
        for (const name of ['begins', 'changes', 'marks', 'frames'])
            bench[name] = [];
        waited = false;
    };

    for (const name of ['clearRect', 'drawImage', 'putImageData', 'setTransform']) {
        const draw = CanvasRenderingContext2D.prototype[name];
        CanvasRenderingContext2D.prototype[name] = function(...words) {
            drawn += this.canvas.closest?.('#plots') ? 1 : 0;
            return draw.apply(this, words);
        };
    }

    /* A page that says nothing of its pictures has #plots `waiting` until they are there. */
    function watch(plots) {
        plots.watched = new MutationObserver(changes => {
            drawn += changes.filter(({target, type}) =>
                (target !== plots || type === 'childList') && !target.closest?.('.overlay')).length;
            if (!bench.said && !plots.classList.contains('waiting') &&
                changes.some(({attributeName}) => attributeName === 'class'))
                bench.marks.push(['full', performance.now()]);
        });
        plots.watched.observe(plots, {childList: true, attributes: true, subtree: true});
    }

    /* What is seen of the plot: all but what is laid over it, as a range that is chosen. */
    function look() {
        const plots = document.getElementById('plots');
        if (plots !== null && plots.watched === undefined)
            watch(plots);
        const canvas = document.querySelector('#plots canvas');
        if (canvas === null)
            return String(drawn);
        const box = canvas.getBoundingClientRect();
        return [drawn, box.x, box.y, box.width, box.height].join(' ');
    }

    new PerformanceObserver(list => {
        for (const {name, startTime} of list.getEntries())
            if (/^ocelotl (coarse|full)$/.test(name)) {
                bench.said = true;
                bench.marks.push([name.split(' ')[1], startTime]);
            }
    }).observe({type: 'mark'});

    /* A message comes once a frame is painted. */
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
        const now = performance.now(), looks = look();
        const waiting = document.querySelector('#plots.waiting canvas') !== null;
        if (looks !== seen && !bench.said && waiting)
            bench.marks.push(['coarse', now]);
        if (looks !== seen && waited) {
            bench.changes.push(now);
            waited = false;
        }
        seen = looks;
    };
    requestAnimationFrame(function frame(time) {
        bench.frames.push(time - last);
        last = time;
        port2.postMessage(0);
        requestAnimationFrame(frame);
    });
    for (const type of ['wheel', 'keydown', 'pointerdown'])
        window.addEventListener(type, event => bench.begin(event.timeStamp), {capture: true});
})();
