<?php

declare(strict_types=1);

// One request: connect a client, do one step of a test, answer "ok" or what went wrong. Served by php-fpm to
// larder-bench.

use Larder\Bench\Exception\Failed;
use Larder\Bench\Workload\Http\ClientTargets;

(static function (): void {
    if (($_SERVER['REMOTE_ADDR'] ?? '') !== '127.0.0.1') {
        http_response_code(403);

        return;
    }
    foreach ([
        __DIR__ . '/../../../../autoload.php',
        __DIR__ . '/../../../vendor/autoload.php',
        __DIR__ . '/../../../../vendor/autoload.php',
    ] as $autoload) {
        if (is_file($autoload)) {
            require_once $autoload;
            break;
        }
    }
    $order = $_GET['order'] ?? '';
    try {
        [$status, $body] = ClientTargets::answer(is_string($order) ? $order : '');
    } catch (Failed $refused) {
        [$status, $body] = [403, $refused->getMessage()];
    }
    http_response_code($status);
    header('Content-Type: text/plain');
    header('Content-Length: ' . strlen($body));
    echo $body;
})();
