// Runs before anything is painted, so that no theme flashes. The style sheet knows only data-theme.
(() => {
    let chosen = null;
    try {
        chosen = localStorage.getItem('larder-bench-theme');
    } catch {
        // Storage may be off, as for some files.
    }
    const isDark = chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();
