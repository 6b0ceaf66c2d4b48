<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Console\Refused;
use Larder\Console\Root\Holder;
use Larder\Console\Root\RootsProcess;
use Larder\Page\Site;

/** @internal Has a process of another user look at the site's files, for where php-fpm itself cannot be asked. */
final readonly class UserProcess
{
    /**
     * @param string|null $user null: the owner of the page directory, if this user may look as that one
     *
     * @return ProcessReport|null null: there is nobody to ask
     *
     * @throws Refused if there is no such user, or this one may not be it
     */
    public static function report(Site $site, ?string $user): ?ProcessReport
    {
        $seen = RootsProcess::here()?->told('seen');
        if ($user !== null && \is_string($seen)) {
            return ProcessReport::read($seen);
        }
        if (!\function_exists('posix_geteuid')) {
            return $user === null ? null : throw Refused::because("This PHP cannot look as $user: it has no posix");
        }
        $pages = $site->pages;
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
            return ProcessReport::of(...array_values(self::questions($site)));
        }
        if (!$isRoot) {
            throw Refused::because("Only root can look as $user");
        }

        return ProcessReport::read(self::said($site->pages, $site->list, $user));
    }

    /** What a process of that user says, for root. */
    public static function said(string $pages, string $list, string $user): string
    {
        return self::run(['LARDER_USER' => $user, 'LARDER_REPORT' => $pages, 'LARDER_LIST' => $list]);
    }

    /** @return array<string, string> for packages/console/bin/report.php */
    public static function questions(Site $site): array
    {
        return ['LARDER_REPORT' => $site->pages, 'LARDER_LIST' => is_file($site->list) ? $site->list : ''];
    }

    /** @param array<string, string> $questions */
    private static function run(array $questions): string
    {
        $script = ReportScript::ready();
        $objection = Holder::objection($script->path);
        if ($objection !== null) {
            throw Refused::because($objection);
        }
        try {
            $process = @proc_open(
                [PHP_BINARY, '-d', 'display_errors=stderr', $script->path],
                [['file', '/dev/null', 'r'], ['pipe', 'w'], ['file', '/dev/null', 'w']],
                $pipes,
                '/',
                $questions + getenv(),
            );
            if (!\is_resource($process)) {
                return '';
            }
            $said = (string) stream_get_contents($pipes[1]);
            proc_close($process);
        } finally {
            $script->remove();
        }

        return $said;
    }
}
