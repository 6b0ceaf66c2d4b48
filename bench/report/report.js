// Draws the plots that page.js gave the page, and answers its reader. It computes nothing but places on the screen.
(() => {
    'use strict';

    const root = document.documentElement;
    const dashes = [[], [7, 4], [2, 3]];
    const drawn = new Map();

    const all = (u, splits) => splits;
    const shorts = (u, splits) => splits.map(short);
    const long = value => Number(value.toPrecision(3)).toLocaleString('en');
    const style = name => getComputedStyle(root).getPropertyValue(name).trim();

    function axis(options) {
        return {
            stroke: style('--muted'),
            font: '11px system-ui, sans-serif',
            grid: { stroke: style('--grid'), width: 1 },
            ticks: { show: false },
            ...options,
        };
    }

    function line(series, extra) {
        const colour = style('--c' + series.c);
        return {
            label: series.n,
            stroke: colour,
            width: 1.75,
            dash: dashes[series.d],
            spanGaps: false,
            points: { show: false },
            ...extra,
        };
    }

    // Powers of ten within the scale, and 2 and 5 of each where there are few.
    function decades(u, index, low, high) {
        const wide = high / low > 200;
        const splits = [];
        for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
            for (const factor of wide ? [1] : [1, 2, 5]) {
                const value = factor * 10 ** power;
                if (value >= low * 0.999 && value <= high * 1.001) {
                    splits.push(value);
                }
            }
        }
        return splits;
    }

    function logRange(u, low, high) {
        return low > 0 ? [low / 1.2, high * 1.2] : [0.1, 10];
    }

    function curve(plot) {
        const columns = [plot.x];
        const series = [{}];
        const bands = [];
        for (const one of plot.s) {
            const colour = style('--c' + one.c);
            const bound = { label: one.n, show: one.on, stroke: 'transparent', width: 0, points: { show: false } };
            // Two points are no curve: between them nothing was measured.
            const width = plot.x.length > 2 ? 1.75 : 0;
            series.push(
                line(one, { show: one.on, width, points: { show: true, size: width > 0 ? 5 : 8, fill: colour } }),
                { ...bound },
                { ...bound },
            );
            columns.push(one.v, one.h, one.l);
            const at = series.length;
            if (plot.x.length > 2) {
                bands.push({ series: [at - 2, at - 1], fill: colour + '2e' });
            }
        }
        const xs = plot.x;
        const last = xs[xs.length - 1];
        const edge = 0.04 * (last - xs[0]);
        const pad = plot.lx ? [xs[0] / 1.12, last * 1.12] : [xs[0] - edge, last + edge];
        const options = {
            scales: {
                x: { time: false, distr: plot.lx ? 3 : 1, log: 2, range: () => pad },
                y: { distr: plot.ly ? 3 : 1, range: plot.ly ? logRange : (u, low, high) => [0, high * 1.06 || 1] },
            },
            axes: [
                axis({
                    size: 24,
                    gap: 4,
                    filter: all,
                    splits: () => xs,
                    values: shorts,
                    label: plot.name,
                    labelSize: 14,
                    labelGap: 0,
                    labelFont: '11px system-ui, sans-serif',
                }),
                axis({ size: 46, gap: 4, values: shorts, ...(plot.ly ? { splits: decades, filter: all } : {}) }),
            ],
            series,
            bands,
        };
        const tell = (u, at, index) => {
            const one = plot.s[Math.floor((at - 1) / 3)];
            if (one.v[index] === null) {
                return '';
            }
            const interval = one.l[index] === null ? '' : ` (${long(one.l[index])} to ${long(one.h[index])})`;
            return `${one.n}, ${plot.name} ${short(plot.x[index])}: ${long(one.v[index])}/s${interval}`;
        };
        return { options, columns, tell };
    }

    function spectrum(plot) {
        const length = Math.max(...plot.s.map(one => one.v.length));
        const rarity = plot.shares.slice(0, length).map(share => 1 / (1 - share));
        const columns = [rarity, ...plot.s.map(one => Array.from({ length }, (_, index) => one.v[index] ?? null))];
        const digits = value => Math.max(0, Math.round(Math.log10(value)) - 2);
        const nines = value => value < 1.5 ? 'min' : (100 - 100 / value).toFixed(digits(value)) + ' %';
        const most = rarity[length - 1] * 1.05;
        const options = {
            scales: {
                x: { time: false, distr: 3, log: 10, range: () => [1, most] },
                y: { distr: 3, log: 10, range: logRange },
            },
            axes: [
                axis({
                    size: 26,
                    gap: 4,
                    filter: all,
                    splits: () => [1, 10, 100, 1e3, 1e4, 1e5, 1e6].filter(value => value <= most),
                    values: (u, splits) => splits.map(nines),
                }),
                axis({ size: 42, gap: 4, filter: all, splits: decades, values: shorts }),
            ],
            series: [{}, ...plot.s.map(one => line(one, { width: 1.5 }))],
        };
        const tell = (u, at, index) => {
            const one = plot.s[at - 1];
            const value = columns[at][index];
            const share = Number((100 * plot.shares[index]).toPrecision(6));
            return value === null ? '' : `${one.n}: ${share} % within ${long(value)} µs`;
        };
        return { options, columns, tell };
    }

    function draw(box) {
        const { plot } = box;
        const { options, columns, tell } = plot.k === 'curve' ? curve(plot) : spectrum(plot);
        const readout = box.closest('.ladder, .spectrum').querySelector('.readout');
        let focus = null;
        const say = u => {
            const at = u.cursor.idx ?? null;
            readout.textContent = focus !== null && at !== null ? tell(u, focus, at) : '';
        };
        const chart = new uPlot({
            width: box.clientWidth,
            height: box.clientHeight,
            padding: [8, 20, 0, 0],
            legend: { show: false },
            cursor: { drag: { x: false, y: false }, focus: { prox: 24 }, y: false, points: { show: false } },
            focus: { alpha: 0.2 },
            hooks: {
                setSeries: [(u, at) => { focus = at; say(u); }],
                setCursor: [say],
            },
            ...options,
        }, columns, box);
        drawn.set(box, chart);
        for (const button of box.closest('.ladder')?.querySelectorAll('.legend button') ?? []) {
            show(chart, button.dataset.s, button.getAttribute('aria-pressed') === 'true');
        }
    }

    function show(chart, subject, isShown) {
        chart.batch(() => chart.series.forEach((series, at) => {
            if (at > 0 && series.label === subject && series.show !== isShown) {
                chart.setSeries(at, { show: isShown });
            }
        }));
    }

    const boxes = [...document.querySelectorAll('.plot')];
    const nearby = new IntersectionObserver(entries => {
        for (const entry of entries) {
            if (entry.isIntersecting && !drawn.has(entry.target)) {
                draw(entry.target);
                nearby.unobserve(entry.target);
            }
        }
    }, { rootMargin: '600px 0px' });
    const sizes = new ResizeObserver(entries => {
        for (const { target } of entries) {
            const chart = drawn.get(target);
            const { clientWidth: width, clientHeight: height } = target;
            if (chart && width > 0 && (chart.width !== width || chart.height !== height)) {
                chart.setSize({ width, height });
            }
        }
    });
    for (const box of boxes) {
        nearby.observe(box);
        sizes.observe(box);
    }

    document.addEventListener('click', event => {
        const button = event.target.closest('.legend button');
        if (button) {
            const isShown = button.getAttribute('aria-pressed') !== 'true';
            button.setAttribute('aria-pressed', String(isShown));
            for (const box of button.closest('.ladder').querySelectorAll('.plot')) {
                if (drawn.has(box)) {
                    show(drawn.get(box), button.dataset.s, isShown);
                }
            }
        }
    });

    // A row of a chart, or a name under a curve, brings its line to the front.
    function point(event, isOver) {
        const named = event.target.closest?.('.bars tr[data-s], .legend button');
        if (!named || named.contains(event.relatedTarget)) {
            return;
        }
        for (const box of named.closest('.chart, .ladder').querySelectorAll('.plot')) {
            const chart = drawn.get(box);
            const at = chart?.series.findIndex((series, index) => index > 0 && series.label === named.dataset.s);
            if (at > 0) {
                chart.setSeries(isOver ? at : null, { focus: true });
            }
        }
    }
    document.addEventListener('pointerover', event => point(event, true));
    document.addEventListener('pointerout', event => point(event, false));

    function redraw() {
        for (const [box, chart] of [...drawn]) {
            chart.destroy();
            drawn.delete(box);
            draw(box);
        }
    }

    const toggle = document.getElementById('theme');
    function paint(isDark) {
        root.dataset.theme = isDark ? 'dark' : 'light';
        toggle.setAttribute('aria-pressed', String(isDark));
        redraw();
    }
    toggle.setAttribute('aria-pressed', String(root.dataset.theme === 'dark'));
    toggle.addEventListener('click', () => {
        paint(root.dataset.theme !== 'dark');
        try {
            localStorage.setItem('larder-bench-theme', root.dataset.theme);
        } catch {
            // Storage may be off; then the choice lasts as long as the page.
        }
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', event => paint(event.matches));

    const links = new Map([...document.querySelectorAll('nav a')].map(link => [link.hash.slice(1), link]));
    const seen = new IntersectionObserver(entries => {
        for (const { target, isIntersecting } of entries) {
            if (isIntersecting) {
                links.forEach(link => link.removeAttribute('aria-current'));
                const link = links.get(target.id);
                link?.setAttribute('aria-current', 'true');
                // On a narrow screen the contents are a strip.
                link?.closest('ul').scrollTo({ left: link.offsetLeft - 40 });
            }
        }
    }, { rootMargin: '-10% 0px -80% 0px' });
    document.querySelectorAll('main > section[id]').forEach(section => seen.observe(section));

    addEventListener('beforeprint', () => {
        document.querySelectorAll('details').forEach(details => { details.open = true; });
        boxes.filter(box => !drawn.has(box)).forEach(draw);
    });
})();
