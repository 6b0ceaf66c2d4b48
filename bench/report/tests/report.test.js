// Opens a report in a browser without a network. REPORT names one; by default it is that of the made-up run.
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

let chromium, directory, report;

before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'larder-bench-report-'));
    report = isFixture ? join(directory, 'report.html') : resolve(process.env.REPORT);
    if (isFixture) {
        execFileSync('php', [here('../../tests/Report/write-report.php'), report]);
    }
    chromium = await browser();
});

after(async () => {
    await chromium?.close();
    rmSync(directory, { recursive: true, force: true });
});

// The report in a page that tells of all that it must not do.
async function open(options) {
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

test('the copy of uPlot is the one of its package', () => {
    for (const [source, target] of Object.entries(files)) {
        const original = readFileSync(here(`../node_modules/uplot/${source}`));
        assert.ok(original.equals(readFileSync(here(`../uplot/${target}`))), `${target}: npm run uplot`);
    }
    const { version } = JSON.parse(readFileSync(here('../node_modules/uplot/package.json')));
    assert.equal(readFileSync(here('../uplot/VERSION'), 'utf8').trim(), version);
});
