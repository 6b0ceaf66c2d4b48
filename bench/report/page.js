'use strict';

// 83214.7 becomes "83.2k". report.js writes its axes so too.
function short(value) {
    const [unit, name] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']].find(([unit]) => value >= unit) ?? [1, ''];
    return Number((value / unit).toPrecision(3)) + name;
}

// Builds the page out of its data block. Figures and verdicts come computed; here they get their words and places.
(() => {
    const run = JSON.parse(document.getElementById('data').textContent);
    const none = '–';
    const colours = 24; // --c0 to --c23 for contenders; a grey, --c24, for the others

    // Control characters are no text.
    const visible = value => String(value).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '\ufffd');

    // An element with its classes: 'td.bad'. What comes from the run gets in as text or as a value, never as markup.
    function h(name, ...parts) {
        const [tag, ...classes] = name.split('.');
        const element = document.createElement(tag);
        if (classes.length > 0) {
            element.className = classes.join(' ');
        }
        for (const part of parts.flat(Infinity)) {
            if (part instanceof Node) {
                element.append(part);
            } else if (part !== null && typeof part === 'object') {
                Object.entries(part).forEach(([key, value]) => element.setAttribute(key, visible(value)));
            } else if (part !== null && part !== false) {
                element.append(visible(part));
            }
        }
        return element;
    }

    const hint = (...parts) => h('p.hint', ...parts);
    const small = text => text === '' ? '' : [' ', h('small', text)];
    const fold = (summary, ...parts) => h('details', h('summary', summary), ...parts);
    const section = (id, title, ...parts) => h('section', { id }, h('h2', title), ...parts);
    const row = (name, subject, ...cells) => h(name, h('th', { scope: 'row' }, subject), ...cells);
    const head = (text, ...more) => h('th', { scope: 'col' }, text, ...more);
    const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

    // Scrolls by itself where it is too wide.
    const table = (label, name, heads, rows) => h(
        'div.scroll',
        { role: 'region', 'aria-label': label, tabindex: 0 },
        h('table.' + name, h('thead', h('tr', heads.map(text => head(text)))), h('tbody', rows)),
    );

    // One look for a subject in the whole page: a colour and a dash. A twin looks like the one it doubles, but dotted.
    const sheets = new Map(run.subjects.map(sheet => [sheet.subject, sheet]));
    const looks = new Map();
    const contenders = run.subjects.filter(({ role }) => role === 'contender');
    contenders.forEach(({ subject }, at) => looks.set(subject, [at % colours, Math.floor(at / colours) % 3]));
    run.subjects.filter(({ role }) => role !== 'contender' && role !== 'twin')
        .forEach(({ subject }, at) => looks.set(subject, [colours, at % 3]));
    run.subjects.filter(({ role }) => role === 'twin')
        .forEach(({ subject }) => looks.set(subject, [looks.get(subject.split('#')[0])?.[0] ?? colours, 2]));
    const look = subject => looks.get(subject) ?? [colours, 0];
    const key = subject => h(`i.k.c${look(subject)[0]}.d${look(subject)[1]}`);

    // Made of what is in a name, and numbered.
    const anchor = (kind, index, name) => `${kind}${index + 1}-`
        + name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
    run.charts.forEach((chart, index) => { chart.anchor = anchor('c', index, chart.id); });
    const linkTo = (id, text) => h(
        'a',
        { href: '#' + (run.charts.find(chart => chart.id === id)?.anchor ?? 'guide') },
        text,
    );

    // What must be read before any figure: what this is, whether it can be relied on, what it cannot tell.
    function header() {
        const banner = (name, word, text) => h('p.banner.' + name, { role: 'alert' }, h('b', word), ' ' + text);
        const fact = (name, value, kind, detail, detailKind = '') => h(
            'div', h('dt', name), h('dd' + kind, value), h('dd.detail' + detailKind, detail),
        );
        const check = run.reliable === null
            ? ['none', '.warn', 'this run has no pair to show it']
            : run.reliable
                ? ['held', '.good', 'one client under two names: equal, within 5 %']
                : ['FAILED', '.bad', 'this run is too noisy to say'];
        const started = run.started.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2');
        const others = [run.faults, run.cells.absent > 0 ? `${run.cells.absent} n/a` : ''].filter(text => text !== '');
        const state = run.complete ? ['complete', ''] : ['INTERRUPTED', '.warn'];
        return h(
            'header',
            h('p.eyebrow', 'larder-bench'),
            h('h1', `PHP cache benchmark, ${run.profile} profile`),
            h(
                'p.lead',
                'Clients, stores, serializers and pages of PHP caches, measured against each other on one machine. '
                    + 'All subjects of a chart take short turns within each block, in fresh processes and shuffled '
                    + 'order; they are compared block by block. ',
                run.allChecked
                    ? 'Every reply is checked, but those of a floor.'
                    : 'How many replies are checked, and how, stands above each chart; those of a floor are not.',
                ' A subject that gave one wrong reply has no number there and ranks nowhere.',
            ),
            run.reliable === false && banner('bad', 'TOO NOISY TO SAY', run.check),
            !run.complete && banner(
                'warn',
                'INTERRUPTED',
                'This run was ended before its time; it holds what was finished until then.',
            ),
            h(
                'dl.facts',
                fact('A/A check', ...check),
                fact('Cells', run.cells.measured + ' measured', '', others.join(', '), run.faults === '' ? '' : '.bad'),
                fact('Run', ...state, `${started}, in ${run.duration}`),
                fact('Machine', run.cores, '', run.machine.join(', ')),
            ),
            run.reliable === true && hint(run.check),
            run.limits.length > 0 && h(
                'section.limits',
                h('h2', 'What this run cannot tell'),
                h('ul', run.limits.map(limit => h('li', limit))),
            ),
        );
    }

    function faults() {
        const items = run.charts.flatMap(chart => chart.faulty.map(cell => h(
            'li', h('b', cell.word), ' ', linkTo(chart.id, cell.subject), `, ${chart.name}: `, h('span', cell.error),
        )));
        return items.length > 0 && section('faults', 'Failed or wrong', { class: 'faults' }, h('ul', items));
    }

    function guide() {
        const where = local => local ? '; of the stores of one host' : '; of those that hosts can share';
        const leads = run.leads.map(lead => row(
            'tr',
            [linkTo(lead.chart, lead.title), h('small', lead.conditions, lead.local !== null && where(lead.local))],
            h('td.words', { 'data-h': 'fastest' }, h('b', lead.leaders.join(', '))),
            h('td.words', { 'data-h': 'ahead of the next' }, lead.next === null
                ? 'all equal'
                : `${lead.comparison} times ${lead.next}`),
            h('td', { 'data-h': 'leads in charts' }, `${lead.led} of ${lead.charts}`),
        ));
        const heads = ['test', 'fastest (ties)', 'ahead of the next', 'leads in charts'];
        return (leads.length > 0 || run.advice.length > 0) && section(
            'guide',
            'Which to take',
            run.reliable === false && h('p.bad', 'The A/A check failed: this run is too noisy to decide by.'),
            hint(run.terms),
            leads.length > 0 && table('Fastest in each test', 'leads', heads, leads),
            h('div.answers', run.advice.map(({ question, answer, chart }) => h(
                'div', h('h3', question), h('p', answer, ' ', linkTo(chart, 'chart')),
            ))),
        );
    }

    // Kept free for what report.js draws in it when it comes near the screen.
    function plotBox(plot, label) {
        return Object.assign(h('div.plot', { role: 'img', 'aria-label': label }), { plot });
    }

    const readout = () => h('p.readout', { 'aria-hidden': true });

    // Rates against workers, or whatever else charts go up by: of all together, and as one worker sees them.
    function ladder({ parameter, conditions, steps, heads, charts, subjects, isOfLoad, isSeenByEach }) {
        const unit = run.charts[charts[0]].unit;
        const cells = (subject, kind) => charts.map(
            chart => run.charts[chart][kind].find(cell => cell.subject === subject) ?? null,
        );
        const isWide = (values, times) => Math.min(...values) > 0
            && Math.max(...values) / Math.min(...values) >= times;
        const plot = (title, figure) => {
            const lines = subjects.map(({ subject, isShown }) => {
                const at = cells(subject, 'measured').map(cell => cell?.[figure] ?? [null, null, null]);
                const [v, l, h] = [0, 1, 2].map(index => at.map(interval => interval[index]));
                return { n: subject, c: look(subject)[0], d: look(subject)[1], on: isShown, v, l, h };
            });
            const shown = lines.filter(line => line.on).flatMap(line => line.v).filter(value => value !== null);
            const ly = shown.length > 0 && isWide(shown, 30);
            return h(
                'figure',
                h(
                    'figcaption',
                    title,
                    small(ly ? 'logarithmic' : ''),
                    small(steps.length === 2 ? 'two points only: nothing was measured between them' : ''),
                ),
                plotBox(
                    { k: 'curve', x: steps, name: parameter, lx: isWide(steps, 4), ly, s: lines },
                    `${title} against ${parameter}, lines with 95 % bands; the table below has the same numbers`,
                ),
            );
        };
        const entry = (cell, fault) => {
            if (cell === null) {
                return fault === null ? h('td', none) : h('td.bad', fault.word);
            }
            const detail = isSeenByEach ? cell.each + ' each' : cell.spread;
            return h(cell.hasErrors ? 'td.bad' : 'td', cell.rate, h('small', detail));
        };
        const rows = subjects.map(({ subject, breaks }) => {
            const faulty = cells(subject, 'faulty');
            const entries = cells(subject, 'measured').map((cell, step) => entry(cell, faulty[step]));
            return row('tr', subject, entries, isOfLoad && h('td', breaks));
        });
        return h(
            'section.ladder',
            h('h3', 'Against ' + parameter, small(conditions)),
            h(
                'div.pair',
                plot(`All together, ${unit}/s`, 'at'),
                isSeenByEach && plot(`One of the ${parameter} sees, ${unit}/s`, 'eachAt'),
            ),
            h('div.legend', { role: 'group', 'aria-label': 'Lines shown' }, subjects.map(({ subject, isShown }) => h(
                'button', { type: 'button', 'data-s': subject, 'aria-pressed': isShown }, key(subject), subject,
            ))),
            readout(),
            fold(
                'The curves as a table',
                table('Rates by ' + parameter, 'figures', ['', ...heads, ...(isOfLoad ? ['breaks at'] : [])], rows),
            ),
        );
    }

    // From 0 in equal steps, so that lengths can be compared; where the subjects lie further apart than 12 times, from
    // a power of ten in decades, as dots.
    function scaleOf(cells) {
        const rates = cells.map(cell => cell.at[0]).filter(rate => rate > 0);
        const [least, most] = rates.length > 0 ? [Math.min(...rates), Math.max(...rates)] : [1, 1];
        const top = Math.max(1e-9, ...cells.map(cell => cell.at[2] ?? 0)) * 1.03; // room for the whiskers
        if (most / least > 12) {
            const low = 10 ** Math.floor(Math.log10(least * 0.98));
            const decades = Math.log10(Math.max(top, most * 1.15) / low);
            return {
                isLogarithmic: true,
                step: 1 / decades,
                rate: tick => low * 10 ** tick,
                place: rate => rate <= low ? 0 : Math.log10(rate / low) / decades,
            };
        }
        // 1, 2 or 5 times a power of ten, so that there are three to six of it.
        const high = Math.max(top, most * 1.06);
        const power = 10 ** Math.floor(Math.log10(high / 3));
        const equal = ([5, 2].find(times => times * power * 3 <= high) ?? 1) * power;
        return {
            isLogarithmic: false,
            step: equal / high,
            rate: tick => tick * equal,
            place: rate => rate / high,
        };
    }

    const percent = share => Number((100 * share).toFixed(2)) + '%';

    // The chart itself: a row a subject with its bar, its whisker and its figures, sorted.
    function bars(chart) {
        const scale = scaleOf(chart.measured);
        const place = rate => Math.min(1, scale.place(rate));
        const rows = chart.measured.map(cell => {
            const { subject, isWrong, hasErrors, at: [rate, low, high] } = cell;
            const { role, label } = sheets.get(subject) ?? { role: 'contender', label: '' };
            const isBound = isWrong || role === 'floor' || role === 'ceiling';
            return row(
                isBound ? 'tr.bound' : 'tr',
                [key(subject), subject, isWrong ? [' ', h('small.bad', 'WRONG in another chart')] : small(label)],
                { 'data-s': subject },
                h('td.t', h(
                    'div',
                    h('b', { style: `width:${percent(place(rate ?? 0))}` }),
                    low !== null && high !== null
                        && h('u', { style: `left:${percent(place(low))};right:${percent(1 - place(high))}` }),
                )),
                h(
                    hasErrors ? 'td.v.bad' : 'td.v',
                    cell.rate,
                    h('small', hasErrors ? cell.errors + ' errors' : cell.spread),
                ),
                h('td.p', cell.client, h('small', '+ ' + cell.server)),
            );
        });
        const faulty = chart.faulty.map(cell => row(
            'tr.fault',
            [h('i.k'), cell.subject],
            h('td.bad', { colspan: 3 }, h('b', cell.word), ' ', h('span', cell.error)),
        ));
        const axis = [];
        for (let tick = 0; tick * scale.step <= 0.985; tick++) {
            axis.push(h('span', { style: `left:${percent(tick * scale.step)}` }, short(scale.rate(tick))));
        }
        return h(
            'div',
            h(
                scale.isLogarithmic ? 'table.bars.log' : 'table.bars',
                { style: `--step:${percent(scale.step)}` },
                h('thead', h(
                    'tr',
                    head(h('span.sr', 'subject')),
                    head(scale.isLogarithmic
                        ? 'logarithmic scale: read the dots, not lengths'
                        : h('span.sr', 'bar')),
                    head(chart.unit + '/s'),
                    head('CPU µs', { title: 'microseconds of CPU per operation: client + server' }),
                )),
                h('tbody', rows, faulty),
                h('tfoot', { 'aria-hidden': true }, h('tr', h('td'), h('td.t', h('div', axis)), h('td'), h('td'))),
            ),
            chart.absent.length > 0 && h('p.absent', chart.absent.map(
                ({ subject, error }, index) => [index > 0 && '; ', h('b', subject), ' n/a: ' + error],
            )),
        );
    }

    // Latency by percentile: the further to the right, the rarer.
    function spectrum(chart) {
        const lines = chart.measured.filter(cell => cell.latency.length > 1).map(
            ({ subject, latency }) => ({ n: subject, c: look(subject)[0], d: look(subject)[1], v: latency }),
        );
        return lines.length > 0 && h(
            'figure.spectrum',
            h('figcaption', 'Latency by percentile, µs', small(chart.latencyOf)),
            plotBox(
                { k: 'spectrum', shares: run.shares, s: lines },
                'Lines of latency by percentile; the table "All figures" has the same numbers',
            ),
            readout(),
        );
    }

    // Every figure, a row a subject.
    function figures(chart) {
        const extras = [...new Set(chart.measured.flatMap(cell => Object.keys(cell.extra)))];
        const heads = [
            '', chart.unit + '/s', '95 % interval', chart.reference === null ? 'ratio' : '× ' + chart.reference,
            'CPU µs, client', 'CPU µs, server', 'MB/s', 'p50 µs', 'p90 µs', 'p99 µs', 'p99.9 µs', 'errors',
            'spread between', 'spread within', ...extras, 'notes',
        ];
        const wide = { colspan: heads.length - 1 };
        const rows = chart.measured.map(cell => row(
            cell.hasErrors ? 'tr.bad' : 'tr',
            cell.subject,
            [
                cell.rate, cell.range, cell.ratio, cell.client, cell.server, cell.megabytes, ...cell.percentiles,
                cell.errors, cell.between, cell.within, ...extras.map(name => cell.extra[name] ?? none),
            ].map(text => h('td', text)),
            h('td.words', cell.notes),
        ));
        return fold('All figures', table('All figures', 'figures', heads, [
            rows,
            chart.faulty.map(cell => row('tr', cell.subject, h('td.bad.words', wide, `${cell.word}: ${cell.error}`))),
            chart.absent.map(cell => row('tr', cell.subject, h('td.words', wide, 'n/a: ' + cell.error))),
        ]));
    }

    // Every subject against every other: how many times the column's rate the row has.
    function matrix(chart) {
        const marks = { 'cannot tell': ['u', '?'], equal: ['e', '='], faster: ['f'], slower: ['s'] };
        const entry = ([verdict, text, bounds]) => {
            const [name, mark = text] = marks[verdict];
            return h('td.' + name, mark, h('i', bounds));
        };
        const subjects = chart.measured.map(cell => cell.subject);
        const rows = chart.ratios.map((ratios, at) => row('tr', subjects[at], ratios.map(
            (ratio, column) => ratio === null ? h('td', column === at ? '' : none) : entry(ratio),
        )));
        return subjects.length > 1 && fold(
            'Each against each',
            hint(
                'How many times the column\'s rate the row has: median over the blocks, 95 % interval. Coloured where '
                    + 'they differ; = where the whole interval lies within 5 % of 1; ? where the run cannot tell.',
            ),
            table('Ratios of rates', 'matrix', ['row / column', ...subjects], rows),
        );
    }

    function article(chart) {
        const link = h('a.self', { href: '#' + chart.anchor, 'aria-label': 'Link to this chart' }, '#');
        return h(
            'article.chart',
            { id: chart.anchor },
            h('h3', chart.conditions ?? chart.title, ' ', link),
            h('p.hint.terms', chart.coverage, chart.placement !== '' && ` ${capital(chart.placement)}.`),
            h('div.split', bars(chart), spectrum(chart)),
            h('div.folds', figures(chart), matrix(chart)),
        );
    }

    function tests() {
        const names = [...new Set(run.charts.map(chart => chart.test))];
        return names.map((name, index) => {
            const charts = run.charts.filter(chart => chart.test === name);
            return section(
                anchor('t', index, name),
                charts[0].title,
                { class: 'test' },
                h('p.work', capital(charts[0].work.replace(/\.+$/, '')) + '.'),
                run.ladders.filter(one => one.test === name).map(ladder),
                charts.map(article),
            );
        });
    }

    // Nested as the run told it.
    function told(value) {
        if (value === null || typeof value !== 'object') {
            return h('span', value === null ? none : { true: 'yes', false: 'no' }[value] ?? value);
        }
        if (Array.isArray(value)) {
            return value.length === 0 ? none : h('span', value.map((entry, at) => [at > 0 && ', ', told(entry)]));
        }
        return h('dl', Object.entries(value).map(([name, entry]) => h('div', h('dt', name), h('dd', told(entry)))));
    }

    // On what terms, on what machine, and how to make it again.
    function appendix() {
        const groups = Object.entries(run.environment).map(([name, value]) => h('div', h('h3', name), told(value)));
        const terms = run.subjects.map(({ subject, label, title, terms }) => h(
            'div.sheet', h('h3', subject, small(label)), hint(title), told(terms),
        ));
        const published = run.published.map(({ title, text, remark }) => [
            h('h3', title), h('pre', { tabindex: 0 }, text), hint(remark),
        ]);
        return [
            terms.length > 0 && section(
                'terms',
                'On what terms',
                hint('How each subject was set up: differences here are differences in the figures.'),
                h('div.groups.sheets', terms),
            ),
            groups.length > 0 && section('environment', 'Environment', h('div.groups', groups)),
            published.length > 0 && section(
                'published',
                'As published',
                hint('The same tests in the layouts of their sources, with what those layouts hide.'),
                published,
            ),
            section(
                'again',
                'To make this again',
                h('pre', { tabindex: 0 }, run.command),
                hint(
                    'This page holds what is drawn. The result file has every window and histogram; ',
                    h('code', 'larder-bench report --format=csv'),
                    ' makes a table of the windows.',
                ),
            ),
        ];
    }

    const above = [faults(), guide()].filter(part => part !== false);
    const below = [...tests(), ...appendix()].filter(part => part !== false);
    const keyToCharts = document.querySelector('.key');
    keyToCharts.before(header(), ...above);
    keyToCharts.after(...below);
    const mark = part => part.id === 'faults'
        ? h('b.bad', part.querySelectorAll('li').length)
        : part.querySelector('.fault') !== null && h('b.bad', { title: 'has failed or wrong cells' }, '!');
    document.querySelector('nav ul').append(...[...above, ...below].map(
        part => h('li', h('a', { href: '#' + part.id }, part.querySelector('h2').textContent, mark(part))),
    ));
    document.getElementById('main').hidden = false;
})();
