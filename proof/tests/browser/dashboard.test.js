// The dashboard of the example site in Chromium, and the corner of the site's own pages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faint } from '../../../bench/report/tests/faint.js';
import { browser, filled, open, shapes, start, views } from './shown.js';

let chromium, site;

before(async () => {
    [chromium, site] = await Promise.all([browser(), start()]);
});

after(async () => {
    await chromium?.close();
    await site?.stop();
});

const text = (page, selector) => page.locator(selector).innerText();
const stored = async uri => /larder; hit/.test((await fetch(site.site + uri)).headers.get('cache-status') ?? '');
const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;

// Fields and buttons that have no name, and tables without heads.
function unnamed() {
    const found = [];
    for (const field of document.querySelectorAll('input, button, a, summary, section, dialog, svg')) {
        const label = field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent
            ?? document.getElementById(field.getAttribute('aria-labelledby'))?.textContent ?? field.textContent;
        if (field.checkVisibility() && label.trim() === '') {
            found.push(field.outerHTML.slice(0, 100));
        }
    }
    for (const table of document.querySelectorAll('table')) {
        if (table.querySelector('thead th[scope="col"]') === null) {
            found.push(table.id);
        }
    }
    return found;
}

for (const [name, shape] of Object.entries(shapes)) {
    for (const colorScheme of ['light', 'dark']) {
        test(`each view is whole: ${name}, ${colorScheme}`, async () => {
            const { page, faults, close } = await open(chromium, site.dashboard, { ...shape, colorScheme });
            for (const view of views) {
                await page.goto(`${site.dashboard}#${view}`);
                await filled(page, view);
                assert.equal(await page.evaluate(isTooWide), false, `${view} scrolls sideways`);
                assert.deepEqual(await page.evaluate(faint), [], `${view} has text that is hard to read`);
                assert.deepEqual(await page.evaluate(unnamed), [], `${view} has what has no name`);
                assert.equal(await page.locator('section:visible').count(), 1);
                assert.equal(await page.locator('nav a[aria-current]').getAttribute('href'), `#${view}`);
            }
            assert.deepEqual(faults, []);
            await close();
        });
    }
}

test('it answers what is slow', async () => {
    const { page, close } = await open(chromium, `${site.dashboard}#slow`, shapes.wide);
    await filled(page, 'slow');
    assert.match(await text(page, '#routes tbody'), /ItemPage\s+App\\Controller\\ItemPage\s+\d+/);
    const times = await page.locator('#slowest tbody td:nth-child(3)').allInnerTexts();
    assert.ok(times.length > 10);
    const sorted = times.map(time => Number.parseFloat(time.replace(',', ''))).sort((a, b) => b - a);
    assert.deepEqual(times.map(time => Number.parseFloat(time.replace(',', ''))), sorted);
    await close();
});

test('it answers why a page is never a hit', async () => {
    const { page, close } = await open(chromium, `${site.dashboard}#refused`, shapes.wide);
    await filled(page, 'refused');
    const refusals = await text(page, '#refusals tbody');
    assert.match(refusals, /\/nothing\s+controller\s+\S+ declares no #\[Reads\]\s+If it may be stored/);
    const ask = async uri => {
        // The answer to the question before would stay until this one comes.
        await page.evaluate(() => document.getElementById('because').replaceChildren());
        await page.fill('#why', uri);
        await page.keyboard.press('Enter');
        await page.waitForSelector('#because .card');
        return text(page, '#because');
    };
    assert.match(await ask('/nothing'), /Not stored 3 times, last .* declares no #\[Reads\]/);
    // A 404 is stored too. A comment drops it as long as nobody has said which comments such a page reads.
    await fetch(`${site.site}/news/900`);
    assert.match(await ask('/news/900'), /It is stored now.*made by ItemPage/);
    assert.match(await ask('/news/4'), /It is stored now.*made by ItemPage/);
    assert.match(await ask('/news/4?a=b'), /can be no page/);
    assert.match(await ask('/news/1'), /of the last changes dropped it, the last one .* by POST \/news\/1\//);
    assert.match(await ask('/news/4/edit'), /declares no #\[Reads\]/);
    await close();
});

test('it answers what an edit dropped', async () => {
    const { page, close } = await open(chromium, `${site.dashboard}#changes`, shapes.wide);
    await filled(page, 'changes');
    const edit = page.locator('#log tbody tr', { hasText: 'POST /news/1/edit' });
    assert.match(await edit.innerText(), /news:1\b/);
    assert.match(await edit.innerText(), /\d+ pages\s+[^]*\/news\/1\b/);
    const filtered = page.waitForResponse(answer => answer.url().includes('like=comment'));
    await page.fill('#changed', 'comment:');
    await filtered;
    await page.waitForFunction(() => !document.querySelector('#log tbody').textContent.includes('/edit'));
    await close();
});

test('it answers who holds the memory', async () => {
    const { page, close } = await open(chromium, `${site.dashboard}#memory`, shapes.wide);
    await filled(page, 'memory');
    assert.match(await text(page, '#by-route tbody'), /ItemPage[^]*4[01]\s/);
    assert.match(await text(page, '#groups tbody'), /item …/);
    assert.match(await text(page, '#segment'), /of [\d.]+ MB used, \d+ values/);
    assert.match(await text(page, '#holders tbody'), /127\.0\.0\.1:\d+\s+values\s+\d+/);
    await close();
});

test('it answers which server is down, in red, on every view', async () => {
    const { page, close } = await open(chromium, `${site.dashboard}#servers`, shapes.wide);
    await filled(page, 'servers');
    const down = page.locator('#states tbody tr.down-row');
    assert.equal(await down.count(), 1);
    assert.match(await down.innerText(), new RegExp(`${site.down.replaceAll('.', '\\.')}[^]*DOWN`));
    assert.match(await text(page, '#states tbody'), /database\s+the ledger\s+answers/);
    const colour = await down.locator('.down').evaluate(mark => getComputedStyle(mark).color);
    const [red, green, blue] = colour.match(/\d+/g).map(Number);
    assert.ok(red > 2 * green && red > 2 * blue, colour);
    await page.goto(`${site.dashboard}#slow`);
    await page.waitForSelector('#down:visible');
    assert.equal(await text(page, '#down'), '2 down');
    await close();
});

test('it answers how far each follower is, and which one is dead', async () => {
    const { page, close } = await open(chromium, `${site.dashboard}#servers`, shapes.wide);
    await filled(page, 'servers');
    const [works, dead] = await page.locator('#followers tbody tr').allInnerTexts();
    assert.match(works, /works[^]*follows\s+\d+ (s|min) ago\s+4[.,]2\s+1\D234\s+5\D678\s+log\.000001:4711/);
    assert.match(dead, /dead[^]*DOWN[^]*None runs/);
    assert.equal(await page.locator('#followers tbody tr.down-row').count(), 1);
    await close();
});

test('charts show hours that nobody watched, and what happens now', async () => {
    const { page, close } = await open(chromium, site.dashboard, shapes.wide);
    await filled(page, 'now');
    await page.waitForFunction(() => (document.querySelector('path.hit').getAttribute('d') ?? '').length > 1000);
    assert.match(await page.locator('svg').first().getAttribute('aria-label'), /Requests for pages, a second: hits/);
    await page.click('#live');
    assert.equal(await page.locator('#live').getAttribute('aria-pressed'), 'true');
    await fetch(`${site.site}/news/8`);
    await page.waitForFunction(() => (document.querySelector('path.hit').getAttribute('d') ?? '').includes('L'));
    await close();
});

test('all of it can be done with the keyboard, and the focus is seen', async () => {
    const { page, faults, close } = await open(chromium, site.dashboard, shapes.wide);
    await filled(page, 'now');
    const seen = [];
    const isMarked = () => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    for (let press = 0; press < 11; ++press) {
        await page.keyboard.press('Tab');
        seen.push(await page.evaluate(() => document.activeElement.textContent.trim().slice(0, 12)));
        assert.ok(await page.evaluate(isMarked), `the focus is not seen on ${seen.at(-1)}`);
    }
    assert.deepEqual(seen.slice(0, 5), ['Now', 'Slow', 'Never a hit', 'Edits', 'Memory']);
    await page.focus('nav a[href="#pages"]');
    await page.keyboard.press('Enter');
    await filled(page, 'pages');
    await page.focus('#like');
    await page.keyboard.type('/news/33');
    await page.waitForFunction(() => document.querySelectorAll('#stored tbody tr').length === 1);
    assert.ok(await stored('/news/33'));
    await page.getByRole('button', { name: 'Flush /news/33' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('#sure[open]');
    const isInside = () => document.activeElement.closest('dialog') !== null;
    assert.ok(await page.evaluate(isInside), 'the focus is in the dialog');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#sure', { state: 'hidden' });
    assert.ok(await stored('/news/33'), 'Escape keeps it');
    await page.getByRole('button', { name: 'Flush /news/33' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('#sure[open]');
    await page.focus('#yes');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#told:visible');
    assert.match(await text(page, '#told'), /^Flushed .*33: .*\/news\/33/);
    assert.equal(await stored('/news/33'), false);
    assert.deepEqual(faults, []);
    await close();
});

test('a name is flushed with all pages made from it', async () => {
    const { page, faults, close } = await open(chromium, `${site.dashboard}#pages`, shapes.phone);
    assert.ok(await stored('/news/34'));
    await page.fill('#like', '/news/34');
    await page.getByRole('button', { name: 'Flush all pages made from news:34' }).first().click();
    await page.click('#yes');
    await page.waitForSelector('#told:visible');
    assert.match(await text(page, '#told'), /^Flushed news:34: .*\/news\/34/);
    assert.equal(await stored('/news/34'), false);
    assert.deepEqual(faults, []);
    await close();
});

test('a page of another origin cannot flush, nor see', async () => {
    const { page, context, close } = await open(chromium, site.dashboard, shapes.wide);
    await filled(page, 'now');
    const { token } = await page.evaluate(async () => (await fetch('?see=token')).json());
    await page.goto(`${site.site}/news/35`);
    const results = await page.evaluate(async ([dashboard, token]) => {
        const body = JSON.stringify({ token, page: '/news/35' });
        const ways = [
            () => fetch(`${dashboard}?see=flush`, {
                method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body,
            }),
            () => fetch(`${dashboard}?see=flush`, { method: 'POST', credentials: 'include', mode: 'no-cors', body }),
            () => fetch(`${dashboard}?see=pages`, { credentials: 'include' }),
        ];
        return Promise.all(ways.map(way => way().then(answer => `${answer.type} ${answer.status}`, () => 'failed')));
    }, [site.dashboard, token]);
    assert.equal(results[0], 'failed');
    assert.equal(results[2], 'failed');
    await page.setContent(`<form method="post" enctype="text/plain" action="${site.dashboard}?see=flush">
        <input name='{"token":"${token}","page":"/news/35","x":"' value='"}'></form>`);
    const [answer] = await Promise.all([
        page.waitForResponse(response => response.url().includes('see=flush')),
        page.evaluate(() => document.forms[0].submit()),
    ]);
    assert.equal(answer.status(), 403);
    assert.ok(await stored('/news/35'), 'it is still there');
    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'larder_dashboard');
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/dashboard']);
    await close();
});

test('a dashboard that does not answer says so, and goes on when it does', async () => {
    const { page, context, close } = await open(chromium, site.dashboard, shapes.wide);
    await filled(page, 'now');
    await context.setOffline(true);
    await page.waitForFunction(() => document.getElementById('state').textContent.startsWith('No answer'));
    await context.setOffline(false);
    await page.waitForFunction(() => !document.getElementById('state').textContent.startsWith('No answer'));
    await close();
});

test('whatever things are called, it is text', async () => {
    const odd = await start('--odd');
    const { page, faults, close } = await open(chromium, odd.dashboard, shapes.phone);
    try {
        const names = [
            '<script>alert(1)</script>', 'onerror=alert(1)>', "onclick='alert(1)", '{nonce}', 'Ünïcødé',
        ];
        const bodies = { slow: '#slowest', refused: '#refusals', changes: '#log', now: 'main' };
        for (const [view, body] of Object.entries(bodies)) {
            await page.goto(`${odd.dashboard}#${view}`);
            await filled(page, view);
            if (view === 'now') {
                await page.click('summary');
            }
            const shown = await page.locator(body).evaluate(element => element.textContent);
            for (const name of names) {
                assert.ok(shown.includes(name), `${view} shows ${name}`);
            }
            assert.equal(await page.locator('main img, main script, main [onclick], main [onerror]').count(), 0);
            assert.equal(await page.evaluate(isTooWide), false, view);
        }
        await page.goto(`${odd.dashboard}#refused`);
        await page.fill('#why', '/news/<script>alert(1)</script>');
        await page.keyboard.press('Enter');
        await page.waitForSelector('#because .card');
        assert.match(await text(page, '#because'), /<script>alert\(1\)<\/script> can be no page/);
        assert.deepEqual(faults, []);
    } finally {
        await close();
        await odd.stop();
    }
});

for (const [name, shape] of Object.entries(shapes)) {
    test(`each page of the site tells in a corner where it comes from: ${name}`, async () => {
        const { page, faults, close } = await open(chromium, `${site.site}/news/36`, shape);
        const corner = page.locator('details.cache');
        assert.equal(await corner.getAttribute('data-state'), 'hit');
        assert.equal(await corner.locator('summary').innerText(), 'hit: nginx, no PHP');
        await corner.locator('summary').focus();
        await page.keyboard.press('Enter');
        assert.match(await corner.innerText(), /Made .*, from/);
        assert.match(await corner.innerText(), /news:36/);
        assert.equal(await page.evaluate(isTooWide), false);
        assert.deepEqual(await page.evaluate(faint), []);
        const box = await corner.boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= shape.viewport.width, 'it is inside the window');
        await page.goto(`${site.site}/news/36/edit`);
        assert.equal(await corner.getAttribute('data-state'), 'none');
        await fetch(`${site.site}/news/37/comment`, {
            method: 'POST', body: new URLSearchParams({ author: 'Ann', text: 'Good.' }), redirect: 'manual',
        });
        await page.goto(`${site.site}/news/37`);
        assert.equal(await corner.getAttribute('data-state'), 'miss');
        for (const uri of ['/', '/categories', '/category/jars', '/search/sage', '/find/sage']) {
            await page.goto(site.site + uri);
            assert.match(await corner.getAttribute('data-state'), /^(?:hit|miss)$/, uri);
        }
        assert.deepEqual(faults, []);
        await close();
    });
}
