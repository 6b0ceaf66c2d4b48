<?php

declare(strict_types=1);

namespace Larder\Follow;

use Larder\Exception\InvalidFollower;

/**
 * @internal A unit of systemd that runs `larder follow` and starts it again.
 *
 * It may write outside /usr, /boot and /etc: the pages in files that it drops may be in any directory.
 *
 * @see https://www.freedesktop.org/software/systemd/man/systemd.service.html
 */
final readonly class Unit
{
    /**
     * @param list<string> $command of the program, without its file
     * @param string       $file    absolute path of what is followed
     * @param string       $user    who may join the stores of rows and write the state
     *
     * @throws InvalidFollower
     */
    public static function text(array $command, string $file, string $state, string $user): string
    {
        if (!str_starts_with($state, '/')) {
            throw InvalidFollower::because("a unit needs an absolute path as `state` of the Followed, not \"$state\"");
        }
        $words = [...$command, 'follow', $file];
        // A new line in a path would be another line of the unit.
        if (preg_match('/[\x00-\x1f\x7f]/', implode('', $words)) === 1) {
            throw InvalidFollower::because('a unit takes no path with control characters: give the file another name');
        }
        $line = implode(' ', array_map(self::word(...), $words));

        return <<<UNIT
            [Unit]
            Description=Larder follows the log of a database
            After=network.target mariadb.service postgresql.service memcached.service
            StartLimitIntervalSec=0

            [Service]
            Type=exec
            User=$user
            ExecStart=$line
            Restart=always
            RestartSec=1
            TimeoutStopSec=30
            MemoryMax=256M
            NoNewPrivileges=yes
            ProtectSystem=full

            [Install]
            WantedBy=multi-user.target

            UNIT;
    }

    private static function word(string $text): string
    {
        $text = strtr($text, ['%' => '%%', '$' => '$$', '\\' => '\\\\', '"' => '\\"']);

        return preg_match('~^[A-Za-z0-9_./:,=@%$+-]+$~D', $text) === 1 ? $text : "\"$text\"";
    }
}
