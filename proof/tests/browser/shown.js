// The example site with its dashboard, in Chromium.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { browser } from '../../../bench/report/tests/browser.js';

export { browser };

export const shapes = {
    wide: { viewport: { width: 1280, height: 900 } },
    phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

export const views = ['now', 'slow', 'refused', 'changes', 'memory', 'servers', 'pages', 'keys'];

const secrets = new Map();

// Runs the site; what it prints first are its addresses.
export async function start(...options) {
    const program = fileURLToPath(new URL('shown-site', import.meta.url));
    const site = spawn('php', [program, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise(resolve => site.on('exit', resolve));
    const line = await Promise.race([
        new Promise(resolve => createInterface({ input: site.stdout }).once('line', resolve)),
        ended.then(code => { throw new Error(`shown-site ended with ${code}`); }),
    ]);
    const told = JSON.parse(line);
    secrets.set(new URL(told.dashboard).origin, told.secret);
    return {
        ...told,
        stop: async () => {
            site.stdin.end();
            await ended;
        },
    };
}

// A page that notes all that it must not do: messages of errors, dialogs, and requests to elsewhere.
export async function open(chromium, address, options = {}) {
    const { origin } = new URL(address);
    const context = await chromium.newContext({
        ...secrets.has(origin) && { httpCredentials: { username: 'larder', password: secrets.get(origin), origin } },
        ...options,
    });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const faults = [];
    page.on('console', message => message.type() === 'error' && faults.push(`console: ${message.text()}`));
    page.on('pageerror', error => faults.push(`error: ${error.message}`));
    page.on('dialog', dialog => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on('request', request => {
        const url = new URL(request.url());
        if (url.protocol !== 'data:' && url.origin !== new URL(address).origin) {
            faults.push(`request: ${url}`);
        }
    });
    await page.goto(address);
    return { page, context, faults, close: () => context.close() };
}

// Waits until a view has asked and shown what it asked for.
export async function filled(page, view) {
    const body = {
        now: '#numbers div', slow: '#slowest tbody tr', refused: '#refusals tbody tr', changes: '#log tbody tr',
        memory: '#holders tbody tr', servers: '#states tbody tr', pages: '#stored tbody tr', keys: '#found tbody tr',
    }[view];
    await page.waitForSelector(`${body}:visible`);
    await page.waitForFunction(() => !document.getElementById('state').textContent.startsWith('asking'));
}
