<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Console\Refused;

/** Has a process of another user look at the page directory, for where php-fpm itself cannot be asked. */
final readonly class UserProcess
{
    /**
     * @param string|null $user null: the owner of the page directory, if this user may look as that one
     *
     * @return ProcessReport|null null: there is nobody to ask
     *
     * @throws Refused if there is no such user, or this one may not be it
     */
    public static function report(string $pages, ?string $user): ?ProcessReport
    {
        $isRoot = posix_geteuid() === 0;
        if ($user === null) {
            $owner = is_dir($pages) ? posix_getpwuid((int) fileowner($pages)) : false;
            if ($owner === false || (!$isRoot && $owner['uid'] !== posix_geteuid())) {
                return null;
            }
            $user = $owner['name'];
        }
        $entry = posix_getpwnam($user);
        if ($entry === false) {
            throw Refused::because("There is no user \"$user\"");
        }
        if ($entry['uid'] === posix_geteuid()) {
            return ProcessReport::of($pages);
        }
        if (!$isRoot) {
            throw Refused::because("Only root can look as $user");
        }

        return self::run($pages, $user);
    }

    private static function run(string $pages, string $user): ?ProcessReport
    {
        $process = @proc_open(
            [PHP_BINARY, '-d', 'display_errors=stderr', ServerChecks::script()],
            [['file', '/dev/null', 'r'], ['pipe', 'w'], ['file', '/dev/null', 'w']],
            $pipes,
            '/',
            ['LARDER_REPORT' => $pages, 'LARDER_USER' => $user] + getenv(),
        );
        if (!\is_resource($process)) {
            return null;
        }
        $said = (string) stream_get_contents($pipes[1]);
        proc_close($process);

        return ProcessReport::read($said);
    }
}
