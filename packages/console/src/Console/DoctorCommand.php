<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\CodePoolChecks;
use Larder\Console\Doctor\FollowChecks;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('doctor', 'Checks that everything page caching and the store of values need is in place')]
final class DoctorCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $value = InputOption::VALUE_REQUIRED;
        $user = 'User whose rights in the page directory are looked at, as root [php-fpm\'s]';
        $nginx = 'Address that nginx listens at: 127.0.0.1:80, unix:/path, https://127.0.0.1:443';
        $this->addOption('nginx', null, $value, $nginx, '127.0.0.1:80')
            ->addOption('php', null, $value, 'Unix socket of php-fpm [the one that nginx has loaded]')
            ->addOption('user', null, $value, $user)
            ->addOption('follow', null, $value, 'Looks only at the log that this file of larder follow names')
            ->addOption('pool', null, $value, 'Looks only at these memcached servers of code:push, with commas between')
            ->setHelp(
                "Asks the nginx and the php-fpm that run, the database, and the store that the site offers. Run it as "
                . "root, who may look as php-fpm's user. Exit code 1 if a check fails; a remark alone does not.\n\n"
                . 'Example: <info>larder doctor --nginx=127.0.0.1:8080</info>',
            );
    }

    public function described(InputInterface $input): ?array
    {
        $follow = self::text($input, 'follow');
        if (!Packages::installed()->has($follow === '' ? 'pages' : 'rows')) {
            // The command says which package it lacks.
            return null;
        }

        return match (true) {
            self::text($input, 'pool') !== '' => null,
            $follow !== '' => ['follow', $follow],
            default => parent::described($input),
        };
    }

    /** A pool and a follower have no site. */
    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer|int
    {
        $pool = self::text($input, 'pool');
        $follow = self::text($input, 'follow');
        match (true) {
            $pool !== '' => Packages::installed()->mustHave('code', '--pool'),
            $follow !== '' => Packages::installed()->mustHave('rows', '--follow'),
            default => Packages::installed()->mustHave('pages', 'the doctor of a site'),
        };

        return match (true) {
            $pool !== '' => self::told((new CodePoolChecks(array_map(trim(...), explode(',', $pool))))->checks()),
            $follow !== '' => self::told((new FollowChecks(FollowFile::read($follow)))->checks()),
            default => parent::answerTo($input, $errors),
        };
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $given = static fn(string $name): ?string => self::text($input, $name) === ''
            ? null
            : self::text($input, $name);
        $nginx = self::text($input, 'nginx');
        $address = preg_match('/^\d+$/D', $nginx) === 1 ? '127.0.0.1:' . $nginx : $nginx;
        $checks = (new Examination($site, $address, $given('php'), $given('user')))->checks();

        return self::told($checks);
    }

    /** @param list<Check> $checks */
    private static function told(array $checks): CommandAnswer
    {
        $failed = array_filter($checks, static fn(Check $check): bool => $check->state === 'failed');
        $line = static fn(Check $check): string => $check->line();
        $values = static fn(Check $check): array => $check->values();

        return new CommandAnswer(
            ['healthy' => $failed === [], 'checks' => array_map($values, $checks)],
            array_map($line, $checks),
            $failed === [] ? self::SUCCESS : self::FAILURE,
        );
    }
}
