<?php

declare(strict_types=1);

namespace Larder\Console\Root;

use Larder\Console\Doctor\UserProcess;
use Larder\Console\FollowFile;
use Larder\Console\Refused;
use Larder\Console\ShellCommand;
use Larder\Console\SiteFile;
use Larder\Page\HitLog;
use Larder\Page\Release;
use Larder\Sql\Exception\PageStoreFailed;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Throwable;

/**
 * What root does of a command on a site: as little as it can. Whose work it is stands in the site's file alone, and
 * that may include only what nobody but root can have written. The command itself is done by that user.
 *
 * @internal
 */
final readonly class ByRoot
{
    private const NOBODY = 65534;

    public function __construct(
        private Described $command,
        private InputInterface $input,
        private OutputInterface $output,
    ) {}

    /**
     * @return int|null the exit code; null: root does it in this process
     *
     * @throws Refused
     */
    public function run(): ?int
    {
        $described = $this->command->described($this->input);
        if ($described === null) {
            return null;
        }
        foreach (['posix_setsid', 'posix_initgroups', 'posix_setgid', 'posix_setuid', 'proc_open'] as $function) {
            if (!\function_exists($function)) {
                throw Refused::because(
                    "Root cannot give up its rights here, since this PHP has no $function(): install the extension "
                        . 'posix, or run the command as the user who has the page directory',
                );
            }
        }
        $as = self::text($this->input, 'as');
        if ($as !== '') {
            $entry = posix_getpwnam($as);

            return match (true) {
                $entry === false => throw Refused::because("There is no user \"$as\""),
                $entry['uid'] === 0 => null,
                default => $this->work($entry['uid'], null),
            };
        }
        $site = $this->outline(...$described);
        if ($this->command instanceof DoneByRoot) {
            $place = $this->command->place($site);
            $user = $place === null ? 0 : self::holder($place);

            return $user === 0 ? $this->command->byRoot($site, $this->input, $this->output) : $this->work($user, $site);
        }
        if ($this->command instanceof Prepared) {
            $this->command->prepare($site, $this->input);
        }
        $user = self::holder($site->place);

        return $user === 0 ? null : $this->work($user, $site);
    }

    /** The process that looks at the file for root: it answers, and includes nothing but root's files meanwhile. */
    public static function tell(Role $role): void
    {
        ['kind' => $kind, 'file' => $file] = $role->told + ['kind' => '', 'file' => ''];
        $file = \is_string($file) ? $file : '';
        try {
            $said = is_readable($file)
                ? ['outline' => Outline::of($kind === 'site' ? SiteFile::read($file) : FollowFile::read($file))
                    ->values()]
                : ['unreadable' => true];
        } catch (Throwable $failure) {
            $said = ['error' => $failure->getMessage()];
        }
        $text = json_encode($said, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR);
        // Between marks: the file may print something.
        fwrite(STDOUT, "\0$text\0");
    }

    /**
     * By a process of nobody's, in the group that may read the file; by one of root's where nobody else may come there.
     *
     * @throws Refused
     */
    private function outline(string $kind, string $file): Outline
    {
        $real = realpath($file);
        if ($real === false || !is_file($real)) {
            throw Refused::because("There is no file \"$file\", which describes the $kind. Name it");
        }
        $objection = Holder::objection($real);
        if ($objection !== null) {
            throw Refused::because(self::refusal($objection));
        }
        $nobody = posix_getpwnam('nobody');
        $group = (int) filegroup($real);
        $said = $this->asked($kind, $real, [
            'user' => $nobody === false ? self::NOBODY : $nobody['uid'],
            'group' => $group !== 0 ? $group : ($nobody === false ? self::NOBODY : $nobody['gid']),
            'login' => 'nobody',
        ]);
        if (\is_array($said) && ($said['unreadable'] ?? null) === true) {
            $said = $this->asked($kind, $real, ['user' => 0, 'group' => 0, 'login' => 'root']);
        }
        $error = \is_array($said) ? $said['error'] ?? null : $said;
        if (\is_string($error)) {
            throw Refused::because(self::refusal($error));
        }

        return Outline::read(\is_array($said) ? $said['outline'] ?? null : null)
            ?? throw Refused::because("Root did not learn from $file whose directory it names: give a user by --as");
    }

    /**
     * @param array{user: int, group: int, login: string} $as
     *
     * @return mixed as tell() says it; string: what it said before it ended without an answer
     */
    private function asked(string $kind, string $file, array $as): mixed
    {
        $heard = [1 => '', 2 => ''];
        OtherProcess::run(
            ['role' => Role::OUTLINE, 'kind' => $kind, 'file' => $file] + $as,
            static fn(): mixed => null,
            static function (int $from, string $bytes) use (&$heard): void {
                $heard[$from] .= $bytes;
            },
        );
        $answer = explode("\0", $heard[1]);

        return \count($answer) < 3
            ? "$file: " . trim($heard[1] . $heard[2])
            : json_decode($answer[\count($answer) - 2], true);
    }

    /**
     * Runs the command as a user.
     *
     * @param Outline|null $site null: root knows nothing of it, and writes nothing of its
     */
    private function work(int $user, ?Outline $site): int
    {
        $entry = posix_getpwuid($user);
        // A user without a name, as in a container: in the directory's group, but not in root's.
        $group = $entry === false ? (int) @filegroup($site->place ?? '/') : $entry['gid'];
        $list = $site === null || $site->list === '' || self::may(\dirname($site->list)) !== 0
            ? null
            : $site->list;
        $told = json_encode([
            'pid' => getmypid(),
            'list' => $list !== null,
            'hits' => $site?->hitLog === null || self::may($site->hitLog) !== 0
                ? 0
                : (new HitLog($site->hitLog))->take(),
            'isThere' => $site !== null && is_dir($site->place),
            'seen' => $this->seen($site, $user),
        ], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
        putenv(RootsProcess::NAME . '=' . $told);

        return OtherProcess::run(
            [
                'role' => Role::WORK,
                'user' => $user,
                'group' => $entry === false && $group === 0 ? $user : $group,
                'login' => $entry === false ? (string) $user : $entry['name'],
            ],
            fn(string $wanted, string $bytes): mixed => match ($wanted) {
                'list' => $list === null ? false : self::keep($list, $bytes),
                'reload' => $this->reload(),
                default => null,
            },
            static function (int $to, string $bytes): void {
                @fwrite($to === 1 ? STDOUT : STDERR, $bytes);
            },
            true,
            stream_isatty(STDOUT) && !$this->input->hasParameterOption('--no-ansi', true) ? ['--ansi'] : [],
        );
    }

    /** @return array{string|null} why the commands of the command line failed; null: they have not */
    private function reload(): array
    {
        foreach (['test', 'reload'] as $name) {
            $command = self::text($this->input, $name);
            $failure = $command === '' ? null : ShellCommand::run($command);
            if ($failure !== null) {
                return [$failure];
            }
        }

        return [null];
    }

    /** @return string|null what the user of --user sees in the page directory, for doctor */
    private function seen(?Outline $site, int $user): ?string
    {
        $asked = $this->input->hasOption('nginx') ? self::text($this->input, 'user') : '';
        $entry = $asked === '' ? false : posix_getpwnam($asked);

        return $site === null || $entry === false || $entry['uid'] === $user
            ? null
            : UserProcess::said($site->place, $site->list, $asked);
    }

    /** The list is data, of which root understands nothing. */
    private static function keep(string $list, string $bytes): bool|string
    {
        try {
            Release::write($list, $bytes);
        } catch (PageStoreFailed $failed) {
            return $failed->getMessage();
        }

        return true;
    }

    /** @throws Refused if more than one user can change where the path leads to */
    private static function holder(string $path): int
    {
        $holder = Holder::of($path);

        return $holder->user ?? throw Refused::because(
            "Root does not work at $path, since $holder->place is open to several users: give it to one, or name a "
                . 'user by --as',
        );
    }

    private static function may(string $path): ?int
    {
        return Holder::of($path)->user;
    }

    private static function refusal(string $objection): string
    {
        return str_starts_with($objection, Holder::REFUSAL)
            ? "$objection. Give it to root, or say by --as=USER whose work this is"
            : $objection;
    }

    private static function text(InputInterface $input, string $name): string
    {
        $value = $input->hasOption($name) ? $input->getOption($name) : null;

        return \is_string($value) ? $value : '';
    }
}
