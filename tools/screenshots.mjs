// Takes pictures of the dashboard, to be looked at, and those that the docs show.
// Usage: node tools/screenshots.mjs [DIRECTORY]      all views, wide and phone, light and dark
//        node tools/screenshots.mjs --docs           the five of docs/how-to/dashboard.md
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { browser, filled, open, shapes, start, views } from '../proof/tests/browser/shown.js';

// The browser makes WebP of it, which takes half the bytes.
async function small(picture) {
    const page = await chromium.newPage();
    const url = await page.evaluate(async png => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
        canvas.getContext('2d').drawImage(image, 0, 0);
        return canvas.toDataURL('image/webp', 0.85);
    }, picture.toString('base64'));
    await page.close();
    return Buffer.from(url.split(',')[1], 'base64');
}

const isDocs = process.argv[2] === '--docs';
const directory = isDocs ? fileURLToPath(new URL('../docs/how-to/dashboard/', import.meta.url))
    : process.argv[2] ?? 'screenshots';
mkdirSync(directory, { recursive: true });
const site = await start();
const chromium = await browser();
try {
    const looks = isDocs ? [['', { viewport: { width: 1000, height: 640 }, colorScheme: 'light' }]]
        : Object.entries(shapes).flatMap(([name, shape]) => ['light', 'dark'].map(colorScheme =>
            [`${name}-${colorScheme}-`, { ...shape, colorScheme }]));
    for (const [name, options] of looks) {
        const { page, close } = await open(chromium, site.dashboard, options);
        for (const view of isDocs ? views.slice(1, 6) : views) {
            await page.goto(`${site.dashboard}#${view}`);
            await filled(page, view);
            if (view === 'refused') {
                await page.fill('#why', '/nothing');
                await page.keyboard.press('Enter');
                await page.waitForSelector('#because .card');
            }
            if (view === 'now') {
                await page.waitForTimeout(4500);
            }
            if (isDocs) {
                await page.setViewportSize({ width: 1000, height: view === 'memory' ? 920 : 640 });
            }
            const path = `${directory}/${name}${view}`;
            const picture = await page.screenshot({ fullPage: !isDocs });
            isDocs ? writeFileSync(`${path}.webp`, await small(picture)) : writeFileSync(`${path}.png`, picture);
        }
        await close();
    }
} finally {
    await chromium.close();
    await site.stop();
}
