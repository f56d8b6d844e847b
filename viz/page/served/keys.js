/* Keys of a served page. */

addKey(['o'], 'folds the node of the part into a leaf, or unfolds it', foldChosen);
addKey(['t'], 'strews dots, as dense as what is lost inside of each part, or none', () =>
    setOption('texture', valuesOf('texture').includes('loss') ? [] : ['loss']));
addKey(['r'], 'a ruler on, off', toggleRuler);
addKey(['/'], 'search', () => togglePanel('search', 'push'));
