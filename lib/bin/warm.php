<?php

declare(strict_types=1);

/*
 * For `larder code:warm`: compiles files of a release into the OPcache of the php-fpm that runs this, for two seconds
 * at most, and tells as JSON how far it came. A web server cannot give it LARDER_CODE_LIST, so a browser that finds it
 * gets nothing. It stands by itself: `larder code:warm` copies it to where the releases lie.
 */

(static function (): void {
    $given = static fn(string $name): string => is_string($_SERVER[$name] ?? null) ? $_SERVER[$name] : '';
    $list = @file_get_contents($given('LARDER_CODE_LIST'));
    if ($given('LARDER_CODE_LIST') === '') {
        http_response_code(404);

        return;
    }
    header('Content-Type: application/json');
    ini_set('display_errors', '0');
    $tell = static function (array $said): void {
        echo json_encode($said, JSON_INVALID_UTF8_SUBSTITUTE);
    };
    $read = json_decode((string) $list, true);
    if (!is_array($read) || !is_array($read['files'] ?? null)) {
        $tell(['error' => 'php-fpm\'s user cannot read ' . $given('LARDER_CODE_LIST')]);

        return;
    }
    $status = function_exists('opcache_get_status') ? @opcache_get_status(false) : false;
    if (!function_exists('opcache_compile_file') || !is_array($status) || $status['opcache_enabled'] !== true) {
        $tell(['error' => 'OPcache is off in this php-fpm, or opcache.restrict_api hides it from ' . __FILE__]);

        return;
    }
    $files = [];
    foreach ($read['files'] as $row) {
        if (is_array($row) && count($row) === 4 && is_string($row[0]) && str_ends_with($row[0], '.php')) {
            $files[] = $row[0];
        }
    }
    $isFull = static function (): bool {
        $status = opcache_get_status(false);
        $counts = is_array($status) ? $status['opcache_statistics'] ?? null : null;

        return is_array($status) && ($status['cache_full'] === true || (is_array($counts)
            && $counts['num_cached_keys'] >= $counts['max_cached_keys']));
    };
    /** @var ArrayObject<string, mixed> $said */
    $said = new ArrayObject(['all' => count($files), 'whole' => false, 'full' => false, 'unreadable' => false]);
    /** @var ArrayObject<string, string> $failed */
    $failed = new ArrayObject([]);
    $at = (int) $given('LARDER_CODE_FROM');
    $compiled = 0;
    $end = microtime(true) + 2.0;
    // What ends the request, such as a class that is declared twice, is told as the fault of the file that did it.
    register_shutdown_function(static function () use ($said, $failed, $tell): void {
        $error = error_get_last();
        if ($said['whole'] !== true && $error !== null) {
            http_response_code(200);
            $failed[is_string($said['file']) ? $said['file'] : ''] = $error['message'];
            $tell(['failed' => $failed->getArrayCopy()] + $said->getArrayCopy());
        }
    });
    for (; $at < count($files) && microtime(true) < $end; ++$at) {
        $path = $given('LARDER_CODE_DIRECTORY') . '/' . $files[$at];
        $said->exchangeArray(['next' => $at + 1, 'file' => $files[$at], 'compiled' => $compiled]
            + $said->getArrayCopy());
        if (file_exists($path) && !is_readable($path)) {
            $failed[$files[$at]] = 'php-fpm\'s user may not read it';
            $said['unreadable'] = true;
            continue;
        }
        try {
            $isCompiled = @opcache_compile_file($path);
        } catch (Throwable $failure) {
            $failed[$files[$at]] = $failure->getMessage();
            continue;
        }
        if ($isCompiled && opcache_is_script_cached($path)) {
            ++$compiled;
        } else {
            $failed[$files[$at]] = error_get_last()['message'] ?? 'OPcache did not keep it';
            if ($isFull()) {
                $said['full'] = true;
                break;
            }
        }
    }
    $said['whole'] = true;
    $tell(['next' => $at, 'compiled' => $compiled, 'failed' => $failed->getArrayCopy()] + $said->getArrayCopy());
})();
