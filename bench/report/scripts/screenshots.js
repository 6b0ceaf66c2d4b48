// Takes pictures of a report, to be looked at: node scripts/screenshots.js REPORT.html DIRECTORY
import { mkdirSync } from 'node:fs';
import { browser } from '../tests/browser.js';
import { pathToFileURL } from 'node:url';

const [report, directory = 'screenshots'] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const chromium = await browser();
const screens = [
    ['light', 1440, 900, 'light', false],
    ['dark', 1440, 900, 'dark', false],
    ['tablet', 1000, 800, 'light', false],
    ['phone', 390, 844, 'light', true],
    ['phone-dark', 390, 844, 'dark', true],
];
for (const [name, width, height, colorScheme, isMobile] of screens) {
    const context = await chromium.newContext({
        viewport: { width, height },
        colorScheme,
        isMobile,
        hasTouch: isMobile,
        deviceScaleFactor: isMobile ? 2 : 1,
        offline: true,
    });
    const page = await context.newPage();
    await page.goto(pathToFileURL(report).href);
    const length = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let at = 0, shot = 0; at < length && shot < 40; at += height - 40, shot++) {
        await page.evaluate(to => scrollTo({ top: to, behavior: 'instant' }), at);
        await page.waitForTimeout(120);
        await page.screenshot({ path: `${directory}/${name}-${String(shot).padStart(2, '0')}.png` });
    }
    await context.close();
}
await chromium.close();
