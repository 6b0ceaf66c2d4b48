<?php

declare(strict_types=1);

namespace Larder\Code;

/**
 * What hardly ever belongs into a release, which lies in the pool in the clear: files of passwords, private keys, dumps
 * and databases. Names that are used for other things too count by what such a file begins with.
 *
 * @internal
 */
final readonly class Secrets
{
    /** Bytes that are looked at. */
    private const BEGIN = 8192;

    private const NAMES = '/^(?:\.env(?:\..+)?|\.htpasswd|\.netrc|\.pgpass|\.my\.cnf|auth\.json'
        . '|id_(?:rsa|dsa|ecdsa|ed25519)'
        . '|.+\.(?:env|p12|pfx|jks|kdbx|ppk|dump|sql\.(?:gz|bz2|xz|zst|zip)|(?:sqlite3?|db)-(?:wal|shm|journal)))$/iD';

    /** Examples of what a file of passwords looks like. */
    private const EXAMPLES = '/\.(?:dist|example|sample|template)$/iD';

    /** What a file has at its begin, by its ending. */
    private const CONTENTS = [
        '/\.(?:pem|key|crt|cer)$/iD' => '/-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/',
        '/\.(?:sqlite3?|db|db3)$/iD' => '/^SQLite format 3\x00/',
        '/\.sql$/iD' => '/^(?:.{0,400}\R)?-- (?:MySQL|MariaDB|PostgreSQL database) dump|^PRAGMA foreign_keys=OFF;/is',
        '/^[^.]*$|\.(?:key|secret)$/iD' => '/^larder-code-secret:/',
    ];

    /** @param string $file that it lies in */
    public static function isOne(string $path, string $file): bool
    {
        $name = basename($path);
        if (preg_match(self::EXAMPLES, $name) === 1) {
            return false;
        }
        if (preg_match(self::NAMES, $name) === 1) {
            return true;
        }
        foreach (self::CONTENTS as $names => $content) {
            if (preg_match($names, $name) === 1) {
                $begin = (string) @file_get_contents($file, length: self::BEGIN);
                if (preg_match($content, $begin) === 1) {
                    return true;
                }
            }
        }

        return false;
    }
}
