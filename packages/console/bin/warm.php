<?php

declare(strict_types=1);

/*
 * For `larder code:warm`: compiles files of a release into the OPcache of the php-fpm that runs this, for two seconds
 * at most, and tells as JSON how far it came. A web server cannot give it LARDER_CODE_LIST, so a browser that finds it
 * gets nothing. It stands by itself: `larder code:warm` copies it to where the releases lie.
 *
 * A compiled class is linked when it is first declared, by one process for all, which locks OPcache's memory for each.
 * So files that only declare classes are included too: that runs nothing of them. Their parents are looked for in files
 * of their name. A class that cannot be linked so is left to the first request.
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
    $said = new ArrayObject(['all' => count($files), 'whole' => false, 'full' => false, 'unreadable' => false,
        'linking' => false, 'linked' => 0]);
    /** @var ArrayObject<string, string> $failed */
    $failed = new ArrayObject([]);
    // What a file declares, in small letters: classes, and functions with (). Null: it does something else too.
    $declared = static function (string $path): ?array {
        $tokens = function_exists('token_get_all') ? token_get_all((string) file_get_contents($path)) : [];
        $names = [];
        $space = '';
        [$count, $depth, $kind, $taken, $ends] = [count($tokens), 0, 0, '', [[], '']];
        for ($i = 0; $i < $count; ++$i) {
            [$id, $text] = is_array($tokens[$i]) ? $tokens[$i] : [0, $tokens[$i]];
            if (in_array($id, [T_WHITESPACE, T_COMMENT, T_DOC_COMMENT, T_OPEN_TAG], true)) {
                continue;
            }
            if ($depth > 0) {
                // In the braces of a body, or in the brackets of an attribute. A text may be a brace too.
                $isMark = in_array($id, [0, T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES, T_ATTRIBUTE], true);
                $depth += !$isMark ? 0 : (in_array($text, $ends[0], true) ? 1 : ($text === $ends[1] ? -1 : 0));
                if ($depth === 0) {
                    $kind = 0;
                }
            } elseif ($kind === 0) {
                if (in_array($id, [T_FINAL, T_ABSTRACT, T_READONLY], true) || $text === ';' || $text === '}') {
                    continue;
                }
                if ($id === T_ATTRIBUTE) {
                    [$depth, $ends] = [1, [['[', '#['], ']']];
                } elseif (in_array($id, [T_NAMESPACE, T_USE, T_DECLARE], true)) {
                    [$kind, $taken] = [$id, ''];
                } elseif (in_array($id, [T_CLASS, T_INTERFACE, T_TRAIT, T_ENUM, T_FUNCTION], true)) {
                    [$kind, $taken] = [$id, ''];
                } else {
                    return null;
                }
            } elseif (in_array($kind, [T_NAMESPACE, T_USE, T_DECLARE], true)) {
                $isEnd = $text === ';' || ($text === '{' && $kind !== T_USE);
                $taken .= $isEnd ? '' : $text;
                if ($isEnd) {
                    $space = $kind === T_NAMESPACE ? ($taken === '' ? '' : strtolower($taken) . '\\') : $space;
                    $kind = 0;
                }
            } elseif ($text === '{') {
                [$depth, $ends] = [1, [['{', '${'], '}']];
            } elseif ($taken === '' && $id === T_STRING) {
                $taken = $text;
                $names[] = $space . strtolower($text) . ($kind === T_FUNCTION ? '()' : '');
            }
        }

        return $depth === 0 && $kind === 0 ? $names : null;
    };
    $isKnown = static fn(string $name): bool => str_ends_with($name, '()')
        ? function_exists(substr($name, 0, -2))
        : class_exists($name, false) || interface_exists($name, false) || trait_exists($name, false);
    $named = [];
    foreach ($files as $file) {
        $named[strtolower(basename($file, '.php'))][] = $file;
    }
    /** @var ArrayObject<string, bool> $included by path: whether its classes are linked */
    $included = new ArrayObject([]);
    // Since PHP 8.4 a class without a parent is linked when its file is compiled.
    $isOf = static fn(string $class, string $path): bool => (class_exists($class, false)
        || interface_exists($class, false) || trait_exists($class, false))
        && in_array((new ReflectionClass($class))->getFileName(), [$path, realpath($path)], true);
    $link = static function (string $path) use ($declared, $isKnown, $isOf, $included): bool {
        $names = isset($included[$path]) ? [] : $declared($path) ?? [];
        $classes = array_filter($names, static fn(string $name): bool => !str_ends_with($name, '()'));
        $class = $classes === [] ? null : $classes[array_key_first($classes)];
        if (array_filter($names, $isKnown) !== [] || $class === null) {
            return $included[$path] ?? ($class !== null && $isOf($class, $path));
        }
        $included[$path] = false;
        (static function () use ($path): void {
            // What linking says of old code is not for the log of a deployment.
            @include $path;
        })();

        return $included[$path] = true;
    };
    spl_autoload_register(static function (string $class) use ($named, $given, $declared, $link): void {
        $name = strtolower($class);
        foreach ($named[substr((string) strrchr('\\' . $name, '\\'), 1)] ?? [] as $file) {
            $path = $given('LARDER_CODE_DIRECTORY') . '/' . $file;
            if (is_readable($path) && in_array($name, $declared($path) ?? [], true)) {
                $link($path);

                return;
            }
        }
    });
    $linked = 0;
    $at = (int) $given('LARDER_CODE_FROM');
    $compiled = 0;
    $end = microtime(true) + 2.0;
    // What ends the request, such as a class that is declared twice, is told as the fault of the file that did it.
    register_shutdown_function(static function () use ($said, $failed, $tell): void {
        $error = error_get_last();
        if ($said['whole'] !== true && $error !== null) {
            http_response_code(200);
            if ($said['linking'] !== true) {
                $failed[is_string($said['file']) ? $said['file'] : ''] = $error['message'];
            }
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
            // One that was included for another's sake would be declared twice.
            $isCompiled = isset($included[$path]) || @opcache_compile_file($path);
        } catch (Throwable $failure) {
            $failed[$files[$at]] = $failure->getMessage();
            continue;
        }
        if ($isCompiled && opcache_is_script_cached($path)) {
            ++$compiled;
            $said->exchangeArray(['compiled' => $compiled, 'linking' => true] + $said->getArrayCopy());
            try {
                $linked += (int) $link($path);
            } catch (Throwable) {
                // Its parent is not here, for one.
            }
            $said->exchangeArray(['linking' => false, 'linked' => $linked] + $said->getArrayCopy());
        } else {
            $failed[$files[$at]] = error_get_last()['message'] ?? 'OPcache did not keep it';
            if ($isFull()) {
                $said['full'] = true;
                break;
            }
        }
    }
    $said['whole'] = true;
    $told = ['next' => $at, 'compiled' => $compiled, 'linked' => $linked, 'failed' => $failed->getArrayCopy()];
    $tell($told + $said->getArrayCopy());
})();
