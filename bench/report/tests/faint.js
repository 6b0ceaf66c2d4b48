// Text that is hard to read against what is behind it.
export function faint() {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = colour => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b]
        .map(value => value / 255)
        .map(value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
        .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        const isNoText = node.textContent.trim() === '' || element.closest('script, style, .sr, .skip');
        if (isNoText || !element.checkVisibility()) {
            continue;
        }
        let behind = element;
        while (behind && rgba(getComputedStyle(behind).backgroundColor)[3] < 255) {
            behind = behind.parentElement;
        }
        const pair = [
            light(rgba(getComputedStyle(element).color)),
            light(rgba(getComputedStyle(behind ?? document.body).backgroundColor)),
        ].sort((a, b) => b - a);
        const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
        if (contrast < 4.5) {
            found.add(`${element.tagName.toLowerCase()}.${element.className}: ${contrast.toFixed(2)}`);
        }
    }
    return [...found];
}
