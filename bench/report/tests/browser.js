// Debian's Chromium, or the one that CHROMIUM names.
import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';

export function browser() {
    const found = spawnSync('sh', ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'], { encoding: 'utf8' });
    const executablePath = process.env.CHROMIUM ?? found.stdout.trim();
    if (executablePath === '') {
        throw new Error('There is no chromium on the PATH; CHROMIUM may name one.');
    }
    // Chromium's sandbox does not work for root.
    return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
