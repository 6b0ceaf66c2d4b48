// Debian's Chromium, or the one that CHROMIUM names.
import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';

export function browser() {
    const search = 'command -v chromium || command -v chromium-browser || command -v google-chrome';
    const found = spawnSync('sh', ['-c', search], { encoding: 'utf8' });
    const executablePath = process.env.CHROMIUM ?? found.stdout.trim();
    if (executablePath === '') {
        throw new Error('There is no chromium on the PATH; CHROMIUM may name one.');
    }
    // Chromium's sandbox does not work for root.
    const isRoot = process.getuid?.() === 0;
    return chromium.launch({ executablePath, chromiumSandbox: !isRoot, args: isRoot ? ['--no-sandbox'] : [] });
}
