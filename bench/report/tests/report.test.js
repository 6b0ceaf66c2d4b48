// Opens reports in a browser without a network: those of made-up runs, or the one that REPORT names.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { browser } from './browser.js';
import { faint } from './faint.js';
import { files } from '../scripts/copy-uplot.js';

const here = path => fileURLToPath(new URL(path, import.meta.url));
const isFixture = process.env.REPORT === undefined;
const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

let chromium, directory;

before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'larder-bench-report-'));
    execFileSync('php', [here('../../tests/Report/write-report.php'), directory]);
    chromium = await browser();
});

after(async () => {
    await chromium?.close();
    rmSync(directory, { recursive: true, force: true });
});

// The report in a page that tells of all that it must not do.
async function open(options, name) {
    const isNamed = name === undefined && !isFixture;
    const report = isNamed ? resolve(process.env.REPORT) : join(directory, `${name ?? 'report'}.html`);
    const context = await chromium.newContext({ ...options, offline: true });
    const page = await context.newPage();
    const faults = [];
    page.on('console', message => message.type() === 'error' && faults.push(`console: ${message.text()}`));
    page.on('pageerror', error => faults.push(`error: ${error.message}`));
    page.on('dialog', dialog => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on('request', request => {
        const url = request.url();
        if (!/^(data:|blob:)/.test(url) && url.split('#')[0] !== pathToFileURL(report).href) {
            faults.push(`request: ${url}`);
        }
    });
    await page.addInitScript(() => {
        window.shifts = [];
        const noted = entry => entry.hadRecentInput || window.shifts.push(entry.value);
        new PerformanceObserver(list => list.getEntries().forEach(noted))
            .observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(pathToFileURL(report).href);
    return { page, faults, close: () => context.close() };
}

// As a reader would, screen by screen.
async function scroll(page) {
    const { length, height } = await page.evaluate(() => ({
        length: document.documentElement.scrollHeight,
        height: innerHeight,
    }));
    for (let top = 0; top < length; top += height * 0.8) {
        await page.evaluate(to => scrollTo({ top: to, behavior: 'instant' }), top);
        await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    // Each is drawn a while after it came into view.
    await page.waitForFunction(() => [...document.querySelectorAll('.plot')].every(box => {
        const canvas = box.querySelector('canvas');
        return canvas !== null && canvas.width > 100
            && canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(value => value > 0);
    }));
}

const shifted = page => page.evaluate(() => window.shifts.reduce((sum, shift) => sum + shift, 0));

for (const [name, options] of [['a wide screen', desktop], ['a phone', phone]]) {
    test(`on ${name} everything is drawn, nothing is fetched and nothing jumps`, async () => {
        const { page, faults, close } = await open(options);
        await scroll(page);
        const plots = await page.$$eval('.plot', boxes => boxes.map(box => {
            const canvas = box.querySelector('canvas');
            const pixels = () => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            const isDrawn = canvas !== null && canvas.width > 100 && canvas.height > 100
                && pixels().some(value => value > 0);
            return { isDrawn, fits: canvas !== null && canvas.getBoundingClientRect().width <= box.clientWidth + 1 };
        }));
        assert.deepEqual(faults, []);
        assert.ok(!isFixture || plots.length > 20);
        assert.deepEqual(plots.filter(plot => !plot.isDrawn || !plot.fits), []);
        const shift = await shifted(page);
        assert.ok(shift < 0.01, `layout shift ${shift}`);
        const { scrolled, width } = await page.evaluate(() => ({
        scrolled: document.documentElement.scrollWidth,
        width: innerWidth,
    }));
        assert.ok(scrolled <= width, `${scrolled} of ${width} pixels`);
        await close();
    });
}

test('unfolded tables scroll in their own boxes', async () => {
    const { page, close } = await open(phone);
    await page.$$eval('details', all => all.forEach(one => { one.open = true; }));
    const { scrolled, width } = await page.evaluate(() => ({
        scrolled: document.documentElement.scrollWidth,
        width: innerWidth,
    }));
    assert.ok(scrolled <= width, `${scrolled} of ${width} pixels`);
    await close();
});

for (const colorScheme of ['light', 'dark']) {
    test(`in ${colorScheme} colours all text can be read`, async () => {
        const { page, close } = await open({ ...desktop, colorScheme });
        await page.$$eval('details', all => all.forEach(one => { one.open = true; }));
        const brightness = await page.evaluate(
            () => getComputedStyle(document.body).backgroundColor.match(/\d+/g)
                .reduce((sum, value) => sum + Number(value), 0),
        );
        assert.equal(brightness > 380, colorScheme === 'light');
        assert.deepEqual(await page.evaluate(faint), []);
        await close();
    });
}

test('what failed or was wrong is seen, in red, where its bar would be', async () => {
    const { page, close } = await open(desktop);
    const faults = await page.$$eval('tr.fault', rows => rows.map(row => {
        const word = row.querySelector('.bad b');
        const [r, g, b] = getComputedStyle(word).color.match(/\d+/g).map(Number);
        return {
            word: word.textContent,
            isRed: r > 1.5 * g && r > 1.5 * b,
            isSeen: row.checkVisibility() && row.getBoundingClientRect().height > 10,
            says: row.querySelector('.bad span').textContent.length > 0,
            hasBar: row.querySelector('.t') !== null,
        };
    }));
    for (const fault of faults) {
        assert.match(fault.word, /^(FAILED|WRONG)$/);
        assert.deepEqual({ ...fault, word: '' }, { word: '', isRed: true, isSeen: true, says: true, hasBar: false });
    }
    assert.equal((await page.$$('#faults li')).length, faults.length);
    if (isFixture) {
        assert.deepEqual(faults.map(fault => fault.word), ['FAILED', 'WRONG', 'FAILED']);
    }
    await close();
});

test('the theme and the lines are changed by the keyboard', async () => {
    const { page, faults, close } = await open({ ...desktop, colorScheme: 'light' });
    await scroll(page);
    await page.focus('#theme');
    await page.keyboard.press('Enter');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    assert.equal(await page.getAttribute('#theme', 'aria-pressed'), 'true');
    const button = await page.$('.legend button[aria-pressed="true"]');
    if (button !== null) {
        const ink = ([one, before]) => {
            const canvas = one.closest('.ladder').querySelector('canvas');
            const image = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            const sum = image.data.reduce((sum, value) => sum + value, 0);
            return sum === before ? 0 : sum;
        };
        const inkBefore = await page.evaluate(ink, [button, 0]);
        await button.focus();
        await page.keyboard.press('Space');
        assert.equal(await button.getAttribute('aria-pressed'), 'false');
        await page.waitForFunction(ink, [button, inkBefore]);
    }
    assert.deepEqual(faults, []);
    await close();
});

// Texts of elements, each in one line.
const texts = (page, selector) => page.$$eval(
    selector,
    elements => elements.map(element => element.textContent.replace(/\s+/g, ' ').trim()),
);
const hostile = 'unexpected </script><b onmouseover="alert(1)">reply</b> & \'more\' \ufffd[31m|';

test('the guide, the curves and every fold have their words', async () => {
    const { page, close } = await open(desktop, 'report');
    const lead = await texts(page, '.leads tbody tr');
    assert.ok(lead.some(row => /^B1 keys: set, then get.*of those that hosts can share.*times .*4 of 4$/.test(row)));
    assert.ok(lead.some(row => /of the stores of one host/.test(row)));
    assert.ok((await texts(page, '.answers h3')).includes('phpredis or Predis?'));
    assert.match((await texts(page, '.answers p'))[0], /times the rate of predis in all 11 charts .* chart$/);
    assert.match((await texts(page, '#guide > .hint'))[0], /memcache gave a wrong reply .* and ranks nowhere/);
    assert.deepEqual((await texts(page, '.ladder h3')).slice(0, 2), [
        'Against workers size 400', 'Against batch 1 worker',
    ]);
    assert.deepEqual(await texts(page, '#t1-keys .ladder thead th'), [
        '', '1 worker', '2 workers', '4 workers', '8 workers', 'breaks at',
    ]);
    const curve = await texts(page, '#t1-keys .ladder tbody tr');
    assert.ok(curve.some(row => /^predis.* each.*FAILED8$/.test(row)), 'a failure, and where it broke');
    assert.ok(curve.some(row => /^memcached[\d,.]+ each.*none$/.test(row)));
    const bad = await texts(page, '#t1-keys .ladder td.bad');
    assert.ok(bad.length === 2 && bad.includes('FAILED') && bad.some(text => / each$/.test(text)), 'errors stand out');
    assert.deepEqual(await page.$$eval('#t1-keys .legend button[aria-pressed="false"]', buttons => buttons.map(
        button => button.dataset.s,
    )), ['noop', 'array', 'apcu', 'memcached#2']);
    assert.match((await texts(page, '.ladder figcaption'))[1], /^One of the workers sees, operations\/s/);
    assert.ok((await texts(page, '.spectrum figcaption small')).includes('of one of the keys: means over steps of 50'));
    assert.ok((await texts(page, '.chart .terms')).includes(
        'Checked: 1 of 64 replies, the last round of each step. Client and server together on processor 1.',
    ));
    assert.deepEqual(await texts(page, '.chart:first-of-type + .chart .absent'), [
        'handlersocket n/a: the plug-in is not installed',
    ]);
    assert.ok((await texts(page, '.figures .words')).includes('n/a: the plug-in is not installed'));
    assert.ok((await texts(page, '.figures thead tr')).some(row => /^operations\/s95 % interval× memcached/.test(row)));
    assert.deepEqual((await texts(page, '.facts dd')).slice(0, 3), [
        'held', 'one client under two names: equal, within 5 %', '134 measured',
    ]);
    assert.equal((await page.$$('.limits li')).length, 4);
    assert.ok((await texts(page, '.sheet h3')).includes('memcached#2 A/A'));
    assert.ok((await texts(page, '#environment dl dd')).includes('aes, avx2'));
    assert.match((await texts(page, '#published'))[0], /File, MySQL and memcached.*<i>Not<\/i> a comparison/);
    assert.match((await texts(page, '#again pre'))[0], /^larder-bench run --profile=full/);
    await close();
});

test('every cell has its row, and a verdict against every other', async () => {
    const words = { faster: /^f [\d.,]+ /, slower: /^s [\d.,]+ /, equal: /^e = /, 'cannot tell': /^u \? / };
    const seen = new Set();
    for (const name of ['report', 'noisy']) {
        const { page, close } = await open(desktop, name);
        const charts = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).charts);
        for (const [place, article] of (await page.$$('.chart')).entries()) {
            const { measured, faulty, absent, ratios } = charts[place];
            const names = rows => rows.map(row => row.subject);
            const found = selector => article.$$eval(selector, all => all.map(one => one.textContent));
            const bars = await article.$$eval('.bars tr[data-s]', bars => bars.map(bar => bar.dataset.s));
            assert.deepEqual(bars, names(measured));
            assert.deepEqual(await found('.bars .fault th'), names(faulty));
            assert.deepEqual(await found('.absent b'), names(absent));
            const rows = [...measured, ...faulty, ...absent];
            assert.deepEqual(await found('.figures tbody th'), names(rows));
            const entries = await article.$$eval('.matrix td', cells => cells.map(
                cell => [cell.className, ...[...cell.childNodes].map(node => node.textContent)].join(' ').trim(),
            ));
            for (const [at, ratio] of ratios.flat().entries()) {
                seen.add(ratio?.[0]);
                assert.match(entries[at], ratio === null ? /^$/ : words[ratio[0]]);
            }
        }
        await close();
    }
    assert.deepEqual(seen, new Set([undefined, ...Object.keys(words)]));
});

test('a floor, a twin and errors are named beside the bar', async () => {
    const { page, close } = await open(desktop, 'report');
    const rows = await texts(page, '.chart tr[data-s]');
    const bound = await texts(page, '.chart tr.bound th');
    assert.ok(bound.includes('noop floor, not checked'));
    assert.ok(bound.includes('page-static reference'));
    assert.ok(bound.includes('memcache WRONG in another chart'));
    assert.ok(!bound.includes('memcached'));
    assert.ok(rows.some(row => row.startsWith('memcached#2 A/A')));
    assert.ok((await texts(page, 'td.v.bad small')).includes('0.5 % errors'));
    await close();
});

test('what is drawn has its words for those who do not see it', async () => {
    const { page, close } = await open(desktop, 'report');
    for (const [role, name] of [
        ['navigation', 'Contents'],
        ['complementary', 'How to read the charts'],
        ['img', /^All together, operations\/s against workers, lines with 95 % bands; the table below has the same/],
        ['img', 'Lines of latency by percentile; the table "All figures" has the same numbers'],
        ['group', 'Lines shown'],
        ['link', 'Link to this chart'],
        ['region', 'Fastest in each test'],
        ['columnheader', 'subject'],
        ['columnheader', 'CPU µs'],
        ['rowheader', 'predis'],
        ['button', 'Dark colours'],
    ]) {
        assert.ok(await page.getByRole(role, { name, exact: true }).count() > 0, `${role} ${name}`);
    }
    assert.deepEqual(await page.$$eval('.plot:not([role=img][aria-label])', all => all.length), 0);
    assert.deepEqual(await page.$$eval('.scroll:not([role=region][aria-label][tabindex="0"])', all => all.length), 0);
    assert.equal(await page.$eval('td.p', cell => cell.closest('table').querySelector('tfoot').ariaHidden), 'true');
    await close();
});

for (const name of ['report', 'interrupted', 'empty', 'noisy', 'failed', 'scales', 'hostile']) {
    test(`in the report "${name}" every link leads somewhere`, async () => {
        const { page, faults, close } = await open(desktop, name);
        await scroll(page);
        const ids = await page.$$eval('[id]', all => all.map(one => one.id));
        assert.deepEqual(ids, [...new Set(ids)]);
        const links = await page.$$eval('a', all => all.map(one => one.getAttribute('href')));
        assert.ok(links.length > 3);
        assert.deepEqual(links.filter(link => !ids.includes(link.slice(1))), []);
        assert.deepEqual(faults, []);
        await close();
    });
}

test('text from outside stays text', async () => {
    const { page, faults, close } = await open(desktop, 'hostile');
    await page.$$eval('details', all => all.forEach(one => { one.open = true; }));
    for (const selector of [
        '.limits li', '#faults li span', '.leads b', 'h2', '.bars tr[data-s] th', '.fault th', '.fault span', '.absent',
        '.figures th', '.matrix th', '.sheet h3', '.sheet .hint', '.sheet dt', '.sheet dd', '#environment h3',
        '#environment dt', '#environment dd', '#published h3', '#published pre', '#published .hint:last-child',
        '#again pre', 'nav a', 'h1', '.chart h3',
    ]) {
        assert.ok((await texts(page, selector)).some(text => text.includes(hostile)), selector);
    }
    assert.ok((await page.title()).includes('onmouseover'));
    assert.equal(await page.$('[onmouseover]'), null);
    assert.equal((await page.$$('script')).length, 5);
    assert.deepEqual(faults, []);
    await close();
});

test('a run that was interrupted, is too noisy or has no number says so', async () => {
    for (const [name, alerts, facts] of [
        ['report', /^$/, /held.*complete/],
        ['interrupted', /^INTERRUPTED This run was ended before its time/, /INTERRUPTED/],
        ['noisy', /^TOO NOISY TO SAY A\/A check: FAILED/, /FAILED.*this run is too noisy to say/],
        ['empty', /^$/, /none.*this run has no pair to show it.*0 measured/],
        ['failed', /^INTERRUPTED/, /0 measured.*1 failed, 1 wrong, 1 n\/a/],
    ]) {
        const { page, close } = await open(desktop, name);
        assert.match((await texts(page, '[role=alert]')).join(''), alerts, name);
        assert.match((await texts(page, '.facts')).join(''), facts, name);
        assert.match((await texts(page, 'h1'))[0], /^PHP cache benchmark, (full|quick) profile$/);
        await close();
    }
    const { page, close } = await open(desktop, 'failed');
    assert.deepEqual(await texts(page, '.fault td'), ['FAILED no window was measured', 'WRONG another value']);
    assert.deepEqual(await texts(page, '.absent'), ['apcu n/a: no reason given']);
    assert.deepEqual(await texts(page, 'nav b'), ['2', '!']);
    assert.equal(await page.$('.plot, .matrix, tr[data-s]'), null);
    await close();
});

test('a scale is linear unless the subjects lie too far apart', async () => {
    const { page, close } = await open(desktop, 'scales');
    const charts = await page.$$eval('.bars', tables => tables.map(table => ({
        isLogarithmic: table.matches('.log') && /^logarithmic scale/.test(table.tHead.rows[0].cells[1].textContent),
        ticks: [...table.querySelectorAll('tfoot span')].map(tick => tick.textContent),
        places: [...table.querySelectorAll('tr[data-s] b')].map(bar => parseFloat(bar.style.width)),
    })));
    const [near, far, ahead, zero, none] = charts;
    assert.deepEqual(near, { isLogarithmic: false, ticks: ['0', '5k', '10k', '15k', '20k'], places: [94.34, 23.58] });
    assert.deepEqual(far.ticks, ['1k', '10k', '100k']);
    assert.ok(far.isLogarithmic && far.places[0] < 100 && far.places[1] > 0);
    assert.ok(ahead.isLogarithmic && ahead.places.length === 4 && ahead.places[0] <= 100);
    assert.ok(ahead.places.every((place, at) => at === 0 || place < ahead.places[at - 1] - 5), ahead.places.join());
    assert.deepEqual([zero.places, none.places], [[0], []]);
    await close();
});

test('the copy of uPlot is the one of its package', () => {
    for (const [source, target] of Object.entries(files)) {
        const original = readFileSync(here(`../node_modules/uplot/${source}`));
        assert.ok(original.equals(readFileSync(here(`../uplot/${target}`))), `${target}: npm run uplot`);
    }
    const { version } = JSON.parse(readFileSync(here('../node_modules/uplot/package.json')));
    assert.equal(readFileSync(here('../uplot/VERSION'), 'utf8').trim(), version);
});
