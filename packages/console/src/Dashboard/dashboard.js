'use strict';
const LIVE_SECONDS = 2, LIVE_KEPT = 300, VIEW_SECONDS = 10, TIME_LIMIT = 8000, SVG = 'http://www.w3.org/2000/svg';
const id = name => document.getElementById(name);
const mayFlush = document.body.dataset.flush === '1';

// Everything is put in as text: nothing that visitors, keys or pages are called can become a part of this page.
const element = (tag, text = '', name = '') => {
    const made = document.createElement(tag);
    made.textContent = text;
    made.className = name;
    return made;
};
// Three digits are enough, and small numbers keep theirs.
const decimal = number => Math.abs(number) < 100 ? number.toLocaleString(undefined, { maximumSignificantDigits: 3 })
    : number.toLocaleString(undefined, { maximumFractionDigits: 0 });
const percent = share => share > 0 && share < 0.001 ? '< 0.1 %' : `${decimal(100 * share)} %`;
const short = name => name.split('\\').at(-1);
const ago = seconds => {
    const past = Math.max(0, Math.round(seconds));
    return past < 90 ? `${past} s ago` : past < 5400 ? `${Math.round(past / 60)} min ago`
        : past < 172800 ? `${Math.round(past / 3600)} h ago` : `${Math.round(past / 86400)} days ago`;
};
const lasted = seconds => seconds === null || seconds === undefined ? '' : ago(seconds).replace(' ago', '');
const now = () => Date.now() / 1000;
const clock = at => new Date(1000 * at).toLocaleTimeString('en-GB');

// A cell is a text, a number, or an element. Cells bear the names of their columns, for narrow screens.
const rows = (table, lines, empty) => {
    const names = [...id(table).tHead.rows[0].cells];
    const body = id(table).tBodies[0];
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.is : undefined;
    const opened = new Set([...body.querySelectorAll('details[open]')].map(details => details.dataset.is));
    body.replaceChildren(...lines.map(cells => {
        const row = element('tr', '', cells.of ?? '');
        row.append(...cells.map((cell, place) => {
            const made = element('td', '', names[place].className);
            made.append(typeof cell === 'number' ? decimal(cell) : cell);
            made.classList.remove('slim', 'thin', 'wide');
            if (place > 0) {
                made.dataset.name = names[place].textContent;
            }
            return made;
        }));
        return row;
    }));
    if (lines.length === 0) {
        const row = element('tr'), cell = element('td', empty, 'empty');
        cell.colSpan = names.length;
        row.append(cell);
        body.append(row);
    }
    for (const details of body.querySelectorAll('details')) {
        details.open = opened.has(details.dataset.is);
    }
    if (focused !== undefined) {
        [...body.querySelectorAll('[data-is]')].find(each => each.dataset.is === focused)?.focus();
    }
};
const bar = (share, label) => {
    const made = element('span', label), frame = element('span', '', 'bar'), part = element('span');
    part.style.width = `${Math.min(100, 100 * share)}%`;
    part.className = share > 0.95 ? 'full' : '';
    frame.append(part);
    made.append(frame);
    return made;
};
const code = text => element('code', text);
const noted = (text, note) => {
    const made = element('span', text);
    made.append(element('span', note, 'note'));
    return made;
};
const ask = async (query, options = {}) => {
    const signal = AbortSignal.timeout(TIME_LIMIT);
    const answer = await fetch('?' + new URLSearchParams(query), { signal, ...options });
    if (!answer.ok) {
        throw new Error((await answer.text()).trim() || `${answer.status} ${answer.statusText}`);
    }
    return answer.json();
};

// Sums a counter over its labels, but for those that are wanted.
const total = (counts, name, wanted = '') => Object.entries(counts).reduce((sum, [series, number]) =>
    (series === name || series.startsWith(name + '{')) && series.includes(wanted) ? sum + number : sum, 0);
// A counter that is lower than before began anew.
const more = (next, last) => next < last ? next : next - last;
const requests = (counts, ...results) => results.reduce((sum, result) =>
    sum + total(counts, 'larder_page_requests_total', `result="${result}"`), 0);
const rate = count => (next, last) => more(count(next.counts), count(last.counts)) / Math.max(0.001, next.at - last.at);
const mean = name => (next, last) => {
    const times = more(total(next.counts, name + '_count'), total(last.counts, name + '_count'));
    const seconds = more(total(next.counts, name + '_sum'), total(last.counts, name + '_sum'));
    return times === 0 ? null : 1000 * seconds / times;
};
const valueReads = result => rate(counts => total(counts, 'larder_cache_requests_total', `result="${result}"`));
const charts = [
    ['Requests for pages, a second', [
        ['hits', 'hit', rate(counts => requests(counts, 'hit', 'hit_in_php'))],
        ['made', 'made', rate(counts => requests(counts, 'stored', 'changed', 'wait_in_vain'))],
        ['refused', 'bad', rate(counts => requests(counts, 'refused'))],
        ['no page', 'none', rate(counts => requests(counts, 'bypass'))],
    ]],
    ['Time of a render, ms', [
        ['mean', 'made', mean('larder_page_render_duration_seconds')],
        ['wait for another', 'none', mean('larder_page_wait_duration_seconds')],
    ]],
    ['Changes, a minute', [
        ['changes', 'none', (next, last) => 60 * rate(counts => total(counts, 'larder_changes_total'))(next, last)],
        ['pages dropped', 'made',
            (next, last) => 60 * rate(counts => total(counts, 'larder_pages_dropped_total'))(next, last)],
    ]],
    ['Reads of values, a second', [
        ['hits', 'hit', valueReads('hit')], ['stale', 'none', valueReads('stale')],
        ['misses', 'made', valueReads('miss')],
    ]],
    ['Shared memory used, MB', [
        ['used', 'none', next => total(next.counts, 'larder_memory_bytes', 'kind="used"') / 2 ** 20],
    ]],
    ['Failed calls to servers, a minute', [
        ['failed', 'bad',
            (next, last) => 60 * rate(counts => total(counts, 'larder_store_failures_total'))(next, last)],
    ]],
].map(([title, lines]) => {
    const figure = element('figure'), caption = element('figcaption', title), legend = element('span', '', 'legend');
    const svg = document.createElementNS(SVG, 'svg'), axis = element('div', '', 'axis');
    svg.setAttribute('viewBox', '0 0 300 60');
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('role', 'img');
    const drawn = lines.map(([name, kind, value]) => {
        const item = element('span', '', kind), last = element('span', name);
        const path = document.createElementNS(SVG, 'path');
        item.append(element('i'), last);
        legend.append(item);
        path.setAttribute('class', kind);
        svg.append(path);
        return { name, value, last, path };
    });
    const [from, top, to] = [element('span'), element('span'), element('span')];
    axis.append(from, top, to);
    caption.append(legend);
    figure.append(caption, svg, axis);
    id('charts').append(figure);
    return { title, svg, drawn, from, top, to };
});

let past = [], wantsPast = true;
const live = [];
const draw = () => {
    const latest = live.at(-1);
    const samples = wantsPast && past.length > 1 ? [...past, ...(latest ? [latest] : [])] : live;
    for (const { title, svg, drawn, from, top, to } of charts) {
        const all = drawn.map(({ value }) => samples.slice(1).map((sample, place) => value(sample, samples[place])));
        const most = Math.max(...all.flat().map(each => each ?? 0), 1e-9);
        const begin = samples[0]?.at ?? 0, length = Math.max(1, (samples.at(-1)?.at ?? 0) - begin);
        drawn.forEach(({ name, last, path }, place) => {
            const values = all[place];
            last.textContent = (values.at(-1) ?? null) === null ? name : `${name} ${decimal(values.at(-1))}`;
            // Where there is no value the line has a gap.
            path.setAttribute('d', values.map((each, point) => each === null ? ''
                : `${(values[point - 1] ?? null) === null ? 'M' : 'L'}`
                + `${(300 * (samples[point + 1].at - begin) / length).toFixed(1)} `
                + (58 - 56 * each / most).toFixed(1)).join(''));
        });
        svg.setAttribute('aria-label', `${title}: ` + drawn.map(({ last }) => last.textContent).join(', '));
        const time = at => at ? clock(at).slice(0, 5) : '';
        from.textContent = time(samples[0]?.at);
        top.textContent = most < 1e-6 ? 'none' : `at most ${decimal(most)}`;
        to.textContent = time(samples.at(-1)?.at);
    }
};
const number = (title, value, note = '') => {
    const frame = element('div'), told = element('dd', value);
    if (note !== '') {
        told.append(' ', element('small', note));
    }
    frame.append(element('dt', title), told);
    return frame;
};
const showNow = sample => {
    const { counters, gauges } = sample;
    const pages = gauges.larder_pages, bytes = gauges.larder_page_bytes, limit = gauges.larder_page_bytes_limit;
    const since = live.at(-2);
    const speed = since ? rate(counts => requests(counts, 'hit', 'hit_in_php'))(live.at(-1), since) : 0;
    id('numbers').replaceChildren(
        number('Hit rate', sample.hit_rate === null ? '–' : `${(100 * sample.hit_rate).toFixed(1)} %`,
            sample.hit_rate === null ? 'set hitLog' : ''),
        number('Hits a second', decimal(speed)),
        number('Pages', pages === undefined ? '–' : decimal(pages),
            limit ? `${decimal(bytes / 2 ** 20)} of ${decimal(limit / 2 ** 20)} MB` : ''),
        number('Made', decimal(requests(counters, 'stored'))),
        number('Refused', decimal(requests(counters, 'refused'))),
        number('Waited', decimal(total(counters, 'larder_page_wait_duration_seconds_count')),
            `${decimal(requests(counters, 'wait_in_vain'))} in vain`),
        number('Changes', decimal(total(counters, 'larder_changes_total')),
            `${decimal(total(counters, 'larder_pages_dropped_total'))} pages dropped`),
    );
    rows('all', Object.entries(counters).map(([series, count]) => [code(series), count]), 'Nothing was counted.');
    rows('failures', Object.entries(counters).filter(([series]) => series.startsWith('larder_store_failures_total'))
        .map(([series, count]) => [code(series.slice('larder_store_failures_total'.length)), count]), 'None.');
};

// What each view shows.
const SHOWN_NAMES = 8;
const listOf = (items, others) => {
    const list = element('ul', '', 'names'), frame = element('div');
    list.append(...items.slice(0, SHOWN_NAMES));
    frame.append(list);
    if (items.length > SHOWN_NAMES || others > 0) {
        const rest = element('details'), all = element('ul', '', 'names');
        rest.append(element('summary', `${Math.max(0, items.length - SHOWN_NAMES) + others} more`), all);
        rest.dataset.is = 'more ' + items.map(item => item.textContent).join(' ');
        all.append(...items.slice(SHOWN_NAMES), ...(others > 0 ? [element('li', `${others} are not told`)] : []));
        frame.append(rest);
    }
    return frame;
};
const plainList = (texts, others) => listOf(texts.map(text => element('li', text)), others);
const nameList = (names, others) => listOf(names.map(name => {
    const item = element('li', mayFlush && !name.startsWith('~') ? '' : name);
    if (item.textContent === '') {
        const button = element('button', name);
        button.dataset.is = 'name ' + name;
        button.setAttribute('aria-label', `Flush all pages made from ${name}`);
        button.addEventListener('click', () => flush({ name }));
        item.append(button);
    }
    return item;
}), others);
const kilobytes = bytes => bytes / 1024;
const shows = {
    slow: async () => {
        const { routes, slowest } = await ask({ see: 'slow' });
        const longest = Math.max(...slowest.map(({ seconds }) => seconds), 0.001);
        rows('routes', routes.map(({ route, renders, seconds, mean, most_within: most }) => [
            noted(short(route), route), renders, 1000 * mean, most === null ? 'over 10,000' : 1000 * most, seconds,
        ]), 'Nothing was rendered yet.');
        rows('slowest', slowest.slice(0, 20).map(({ page, route, seconds, at }) => [
            code(page), short(route), bar(0.9 * seconds / longest, decimal(1000 * seconds)), ago(now() - at),
        ]), 'Nothing was rendered today.');
    },
    refused: async () => {
        const { refusals } = await ask({ see: 'refusals' });
        rows('refusals', refusals.map(({ page, cause, reason, remedy, times, at }) => {
            const shown = element('span', '', '');
            shown.append(element('span', cause, 'tag'), element('span', reason, 'note'));
            return [code(page), shown, remedy, times, ago(now() - at)];
        }), 'None was refused lately.');
    },
    changes: async () => {
        const { changes } = await ask({ see: 'changes', like: id('changed').value });
        const why = { bulk: 'many rows', room: 'made room, no change', all: 'all pages' };
        rows('log', changes.map(({ at, by, cause, names, more_names: others, pages, more_pages: rest }) => [
            noted(clock(at), ago(now() - at)), by,
            names.length === 0 ? element('span', why[cause] ?? '', 'empty') : plainList(names, others),
            pages === null ? element('span', 'all of them', 'bad')
                : pages.length === 0 ? element('span', 'none was made from it', 'empty')
                    : counted(pages, rest),
        ]), 'No change was made known yet.');
    },
    memory: async () => {
        const [told, { servers }] = await Promise.all([ask({ see: 'memory' }), ask({ see: 'servers' })]);
        const { routes, limit_of_route: share, largest, segment, values } = told;
        rows('by-route', routes.map(({ route, pages, bytes }) => [
            noted(short(route), route), pages, kilobytes(bytes), bar(bytes / share, percent(bytes / share)),
        ]), told.ledger_error === null ? 'No page is stored.' : 'The ledger does not answer: ' + told.ledger_error);
        rows('largest', largest.map(({ page, route, bytes }) => [code(page), short(route), kilobytes(bytes)]),
            'No page is stored.');
        const card = element('div', '', 'card');
        card.append(element('p', segment === null
            ? 'This PHP has no shared memory: the extension is not loaded.'
            : `Shared memory ${segment.name === '' ? 'of this php-fpm' : segment.name}, namespace `
                + `"${segment.namespace}": ${decimal(segment.bytesUsed / 2 ** 20)} of `
                + `${decimal(segment.bytesTotal / 2 ** 20)} MB used, ${decimal(segment.entries)} values, `
                + `${decimal(segment.evictions)} evicted for room.`));
        if (segment !== null) {
            card.append(bar(segment.bytesUsed / segment.bytesTotal, ''));
        }
        id('segment').replaceChildren(card);
        rows('groups', values.groups.map(({ prefix, entries, bytes }) => [
            code(prefix), entries, kilobytes(bytes),
            bar(bytes / (segment?.bytesTotal || 1), percent(bytes / (segment?.bytesTotal || 1))),
        ]), 'There are no values in shared memory.');
        rows('holders', servers.filter(({ bytes }) => bytes !== undefined && bytes !== null).map(server => [
            code(server.server), server.use, server.items ?? '',
            server.bytes_limit === null ? decimal(server.bytes / 2 ** 20)
                : bar(server.bytes / server.bytes_limit,
                    `${decimal(server.bytes / 2 ** 20)} of ${decimal(server.bytes_limit / 2 ** 20)}`),
            server.evictions ?? '',
        ]), 'No server has pages or values.');
    },
    servers: async () => {
        const { servers, followers } = await ask({ see: 'servers' });
        rows('states', servers.map(server => Object.assign([
            code(server.server), { ledger: 'the ledger', pages: 'pages', values: 'values' }[server.use],
            server.answers ? element('span', 'answers', 'tag up') : down('DOWN', server.failure),
            server.version ?? '', lasted(server.seconds),
        ], { of: server.answers ? '' : 'down-row' })), 'There is none.');
        id('followers').hidden = followers.length === 0;
        rows('followers', followers.map(follower => Object.assign([
            noted(follower.name ?? '', follower.directory),
            follower.well ? element('span', 'follows', 'tag up') : down(...illnessOf(follower)),
            follower.sign_age === null ? 'none' : ago(follower.sign_age),
            typeof follower.lag === 'number' ? 1000 * follower.lag : '',
            follower.rows ?? '', follower.names ?? '', code(follower.position ?? ''),
        ], { of: follower.well ? '' : 'down-row' })), 'There is none.');
    },
    pages: async () => {
        const { pages } = await ask({ see: 'pages', like: id('like').value });
        rows('stored', pages.map(({ key, controller, from, more: others, bytes }) => {
            const button = element('button', 'Flush', 'act');
            button.dataset.is = 'page ' + key;
            button.setAttribute('aria-label', `Flush ${key}`);
            button.addEventListener('click', () => flush({ page: key }));
            return [code(key), short(controller), nameList(from, others), kilobytes(bytes), mayFlush ? button : ''];
        }), 'No page is stored under such an address.');
    },
    keys: async () => {
        const { keys, all } = await ask({ see: 'keys', like: id('key').value });
        rows('found', keys.map(({ key, type, bytes, expires }) => [
            code(key), type, bytes, expires === null ? 'not by time' : `in ${lasted(expires - now())}`,
        ]), 'There is no such key.');
        id('found').caption.textContent = all ? `Values: ${keys.length}`
            : `Values: the first ${keys.length} that were found`;
    },
};
const down = (word, why) => {
    const state = element('span');
    state.append(element('span', word, 'tag down'), element('span', why, 'note'));
    return state;
};
const illnessOf = ({ readable, running, failure, max_lag: most }) => {
    if (!readable) {
        return ['UNKNOWN', 'It has told nothing that this PHP may read: see the directory and its owner.'];
    }
    if (!running) {
        return ['DOWN', 'None runs: what other programs change is not ended until one does.'];
    }
    return failure === null || failure === undefined
        ? ['LATE', `Its last sign is older than maxLag, ${decimal(most)} s.`] : ['FAILS', failure];
};
const counted = (pages, rest) => {
    const shown = element('div');
    shown.append(element('span', `${pages.length + rest} ${pages.length + rest === 1 ? 'page' : 'pages'}`, 'note'),
        plainList(pages, rest));
    return shown;
};
const downOf = told => {
    const { ledger_error: failure, servers, value_servers: stores, store_answers: answers } = told;
    const down = (failure === null ? 0 : 1) + told.followers_down + servers.filter(({ state }) => state !== 'up').length
        + Object.values(stores).filter(server => !server.answers).length;
    return down === 0 && answers === false ? 1 : down;
};

const explain = async event => {
    event?.preventDefault();
    const uri = id('why').value.trim();
    if (uri === '') {
        id('because').replaceChildren();
        return;
    }
    const told = await ask({ see: 'why', like: uri });
    const card = element('div', '', 'card');
    const say = (text, kind = '') => card.append(element('p', text, kind));
    if (!told.can_be) {
        say(`${uri} can be no page: its path is not canonical, or its query is none of Urls::$queries.`, 'bad');
    }
    if (told.stored !== null) {
        say(`It is stored now: ${decimal(kilobytes(told.stored.bytes))} KB, made by ${short(told.stored.controller)}.`);
        card.append(nameList(told.stored.from, 0));
    } else if (told.can_be) {
        say('It is not stored now.');
    }
    if (told.refusal !== null) {
        say(`Not stored ${told.refusal.times} times, last ${ago(now() - told.refusal.at)}: ${told.refusal.reason}.`,
            'bad');
        say(told.refusal.remedy);
    }
    if (told.ttl !== null) {
        say(`Its time is ${told.ttl} s: then it ends.`);
    }
    if (told.dropped > 0) {
        say(`${told.dropped} of the last changes dropped it, the last one ${ago(now() - told.last_change.at)} by `
            + `${told.last_change.by}: ${told.last_change.names.join(', ')}.`);
    }
    if (told.can_be && told.stored === null && told.refusal === null && told.dropped === 0) {
        say('Nothing more is known of it: nobody asked for it lately, or visitors have a cookie of a session.');
    }
    id('because').replaceChildren(card);
};

const tell = (text, isBad) => {
    id('told').hidden = false;
    id('told').className = isBad ? 'card wrong' : 'card';
    id('told').textContent = text;
};
const confirmed = text => new Promise(resolve => {
    id('sure-text').textContent = text;
    id('sure').returnValue = '';
    id('sure').addEventListener('close', () => resolve(id('sure').returnValue === 'yes'), { once: true });
    id('sure').showModal();
});
id('yes').addEventListener('click', () => id('sure').close('yes'));
id('no').addEventListener('click', () => id('sure').close('no'));
const flush = async what => {
    const text = what.page ? `Flush ${what.page}? Pages made from the same name end with it.`
        : `Flush all pages made from ${what.name}?`;
    if (!await confirmed(text)) {
        return;
    }
    try {
        const { token } = await ask({ see: 'token' });
        const { name, pages, unknown } = await ask({ see: 'flush' }, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ token, ...what }),
        });
        const ended = pages.length === 0 ? 'no page was made from it' : pages.join(', ');
        tell(unknown ? `${name} is unknown: ${unknown}` : `Flushed ${name}: ${ended}.`, Boolean(unknown));
    } catch (error) {
        tell('Not flushed: ' + error.message, true);
    }
    view();
};

let shown = 'now', viewing = 0;
const view = async () => {
    clearTimeout(viewing);
    try {
        await shows[shown]?.();
    } catch (error) {
        tell('No answer: ' + error.message, true);
    }
    viewing = setTimeout(view, 1000 * VIEW_SECONDS);
};
const choose = () => {
    const wanted = location.hash.slice(1);
    shown = [...document.querySelectorAll('section')].some(section => section.id === wanted) ? wanted : 'now';
    for (const section of document.querySelectorAll('section')) {
        section.hidden = section.id !== shown;
    }
    for (const link of document.querySelectorAll('nav a')) {
        link.hash === '#' + shown ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current');
    }
    id('told').hidden = true;
    scrollTo(0, 0);
    view();
};
const look = async () => {
    try {
        const sample = await ask({ see: 'now' });
        live.push({ at: sample.at, counts: { ...sample.counters, ...sample.gauges } });
        live.splice(0, Math.max(0, live.length - LIVE_KEPT));
        showNow(sample);
        draw();
        const down = downOf(sample);
        id('down').hidden = down === 0;
        id('down').textContent = `${down} down`;
        id('state').className = down === 0 ? '' : 'bad';
        id('state').textContent = sample.ledger_error !== null ? 'The ledger does not answer: ' + sample.ledger_error
            : down > 0 ? (down === 1 ? 'A server is down' : `${down} servers are down`)
                : 'as of ' + clock(sample.at);
    } catch (error) {
        id('state').className = 'bad';
        id('state').textContent = 'No answer: ' + error.message;
    }
    setTimeout(look, 1000 * LIVE_SECONDS);
};
for (const [button, isPast] of [['past', true], ['live', false]]) {
    id(button).addEventListener('click', () => {
        wantsPast = isPast;
        id('past').setAttribute('aria-pressed', String(isPast));
        id('live').setAttribute('aria-pressed', String(!isPast));
        draw();
    });
}
let typing = 0;
for (const field of ['like', 'changed', 'key']) {
    id(field).addEventListener('input', () => {
        clearTimeout(typing);
        typing = setTimeout(view, 250);
    });
}
id('ask').addEventListener('submit', explain);
id('act-title').textContent = mayFlush ? 'Act' : '';
addEventListener('hashchange', choose);
ask({ see: 'history' }).then(({ samples }) => { past = samples; draw(); }).catch(() => { wantsPast = false; });
choose();
look();
