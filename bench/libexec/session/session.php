<?php

declare(strict_types=1);

// Begins a session, counts in it and writes it. Served by php-fpm to larder-bench. `of` names the session, without it
// each worker has one; with `see` nothing is counted. The environment says where the sessions' ids are kept.

(static function (): void {
    $of = is_string($_GET['of'] ?? null) ? $_GET['of'] : (string) getmypid();
    if (($_SERVER['REMOTE_ADDR'] ?? '') !== '127.0.0.1' || preg_match('/^\w+$/D', $of) !== 1) {
        http_response_code(403);

        return;
    }
    if (getenv('HANDLER') !== false) {
        require getenv('HANDLER');
        $client = new Larder\Memcached((string) getenv('MEMCACHED'), shared: false);
        (new Larder\Session\Handler(new Larder\Store\MemcachedStore('bench', $client)))->register();
    }
    // Larder's handler begins no session whose name it did not give itself.
    $file = getenv('IDS') . $of;
    $id = (string) @file_get_contents($file);
    if ($id !== '') {
        session_id($id);
    }
    if (!@session_start()) {
        http_response_code(503);

        return;
    }
    if (session_id() !== $id) {
        file_put_contents($file, session_id());
    }
    $_SESSION['text'] ??= str_repeat('Some words. ', 20);
    $count = is_int($_SESSION['count'] ?? null) ? $_SESSION['count'] : 0;
    $_SESSION['count'] = $count + (isset($_GET['see']) ? 0 : 1);
    $isWritten = @session_write_close();
    http_response_code($isWritten ? 200 : 503);
    echo $_SESSION['count'];
})();
