// Copies uPlot out of its npm package, so that a report can be made where there is no npm. The browser test compares
// both.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const files = {
    'dist/uPlot.iife.min.js': 'uPlot.iife.min.js',
    'dist/uPlot.min.css': 'uPlot.min.css',
    LICENSE: 'LICENSE',
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const from = new URL('../node_modules/uplot/', import.meta.url);
    const to = new URL('../uplot/', import.meta.url);
    for (const [source, target] of Object.entries(files)) {
        copyFileSync(new URL(source, from), new URL(target, to));
    }
    writeFileSync(new URL('VERSION', to), JSON.parse(readFileSync(new URL('package.json', from))).version + '\n');
}
