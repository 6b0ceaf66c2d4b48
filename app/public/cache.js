'use strict';

// What Larder wrote at the end of this page, shown in a corner. Nothing is asked of the server.
(() => {
    const prefix = ' larder ';
    const note = [...document.childNodes, ...document.body.childNodes].find(
        node => node.nodeType === Node.COMMENT_NODE && node.data.startsWith(prefix),
    );
    const [load] = performance.getEntriesByType('navigation');
    const hit = (load?.serverTiming ?? []).some(timing => timing.name === 'larder' && timing.description === 'hit');
    const corner = document.createElement('details');
    const summary = document.createElement('summary');
    corner.className = 'cache';
    corner.append(summary);
    if (!note) {
        summary.textContent = 'not stored: made by PHP for you';
    } else {
        const { made, from, more, ttl } = JSON.parse(note.data.slice(prefix.length));
        const line = text => {
            const paragraph = document.createElement('p');
            paragraph.textContent = text;
            corner.append(paragraph);
        };
        summary.textContent = hit ? 'hit: nginx, no PHP' : 'miss: made now, and stored';
        line(`Made ${new Date(made).toLocaleString()}` + (ttl === null ? '' : `, kept ${ttl} s`) + ', from');
        const list = document.createElement('ul');
        for (const name of more > 0 ? [...from, `${more} more`] : from) {
            const item = document.createElement('li');
            item.textContent = name;
            list.append(item);
        }
        corner.append(list);
    }
    corner.dataset.state = note ? (hit ? 'hit' : 'miss') : 'none';
    document.body.append(corner);
})();
