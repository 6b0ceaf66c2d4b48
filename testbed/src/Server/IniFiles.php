<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** The .ini files that this PHP has read, copied for a server, with other modules in the place of some. */
final readonly class IniFiles
{
    /**
     * @param string                                $directory to be made
     * @param list<string>                          $without   modules whose files are left out
     * @param list<array{string, string|int|float}> $settings  name and value, in this order; a name may come again
     *
     * @return array<string, string> environment of the server
     */
    public static function copied(string $directory, array $without, array $settings): array
    {
        mkdir($directory);
        $pattern = '/^(?:\d+-)?(?:' . implode('|', array_map(preg_quote(...), $without)) . ')\.ini$/D';
        foreach (explode(',', (string) php_ini_scanned_files()) as $file) {
            $name = basename(trim($file));
            if ($name !== '' && ($without === [] || preg_match($pattern, $name) !== 1)) {
                copy(trim($file), $directory . '/' . $name);
            }
        }
        $text = '';
        foreach ($settings as [$name, $value]) {
            $text .= "$name=\"$value\"\n";
        }
        file_put_contents($directory . '/99-testbed.ini', $text);

        return ['PHP_INI_SCAN_DIR' => $directory];
    }
}
