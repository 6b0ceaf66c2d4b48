<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use PHPat\Selector\Selector;
use PHPat\Selector\SelectorInterface;
use PHPat\Test\Attributes\TestRule;
use PHPat\Test\Builder\BuildStep;
use PHPat\Test\PHPat;

/**
 * Who may use whom. PHPStan reads these rules through phpat, so that a wrong arrow is an error like any other.
 */
final readonly class NamespaceRules
{
    /** What each room may use beside itself; a room that stands lower never knows one above it. */
    private const MAY_USE = [
        // The package larder/cache, which needs no database.
        'Larder\Exception' => [],
        'Larder\Store' => ['Larder\Exception', 'Larder\Metrics'],
        'Larder\Discovery' => ['Larder\Exception', 'Larder\Metrics', 'Larder\Store'],
        'Larder\Dependency' => ['Larder\Exception', 'Larder\Metrics', 'Larder\Store'],
        'Larder\Cache' => [
            'Larder\Dependency', 'Larder\Exception', 'Larder\Lease', 'Larder\Metrics', 'Larder\Store',
        ],
        'Larder\Psr' => ['Larder\Cache', 'Larder\Dependency', 'Larder\Exception', 'Larder\Metrics', 'Larder\Store'],
        'Larder\Bridge' => [
            'Larder\Cache', 'Larder\Dependency', 'Larder\Exception', 'Larder\Metrics', 'Larder\Psr', 'Larder\Store',
        ],
        'Larder\Lease' => ['Larder\Exception'],
        'Larder\Metrics' => ['Larder\Exception'],
        'Larder\Session' => ['Larder\Cache', 'Larder\Exception', 'Larder\Metrics', 'Larder\Store'],
        // larder/sql: its rooms stand in one direction, reading below schema below tracker below ledger.
        'Larder\Sql\Exception' => ['Larder\Exception'],
        'Larder\Sql\Reading' => ['Larder\Dependency', 'Larder\Exception', 'Larder\Sql\Exception'],
        'Larder\Sql\Schema' => ['Larder\Dependency', 'Larder\Exception', 'Larder\Sql\Exception', 'Larder\Sql\Reading'],
        'Larder\Sql\Tracker' => [
            'Larder\Dependency', 'Larder\Exception', 'Larder\Metrics', 'Larder\Sql\Exception', 'Larder\Sql\Reading',
            'Larder\Sql\Schema', 'Larder\Store',
        ],
        'Larder\Sql\Ledger' => [
            'Larder\Dependency', 'Larder\Exception', 'Larder\Metrics', 'Larder\Sql\Exception', 'Larder\Sql\Reading',
            'Larder\Sql\Schema', 'Larder\Sql\Tracker', 'Larder\Store',
        ],
        'Larder\Sql\Doctrine' => [
            'Larder\Dependency', 'Larder\Exception', 'Larder\Sql\Exception', 'Larder\Sql\Schema', 'Larder\Sql\Tracker',
        ],
        // Larder/pages, rows and code know nothing of each other.
        'Larder\Edge' => ['Larder\Dependency', 'Larder\Exception', 'Larder\Metrics', 'Larder\Sql', 'Larder\Store'],
        'Larder\Page' => [
            'Larder\Cache', 'Larder\Dependency', 'Larder\Edge', 'Larder\Exception', 'Larder\Lease', 'Larder\Metrics',
            'Larder\Sql', 'Larder\Store',
        ],
        // Tests for users to extend. Nothing of the library uses them, since PHPUnit is theirs.
        'Larder\Testing' => ['Larder\Dependency', 'Larder\Exception', 'Larder\Page', 'Larder\Sql'],
        'Larder\Row' => ['Larder\Dependency', 'Larder\Exception', 'Larder\Metrics', 'Larder\Sql', 'Larder\Store'],
        'Larder\Follow' => [
            'Larder\Dependency', 'Larder\Exception', 'Larder\Metrics', 'Larder\Row', 'Larder\Sql', 'Larder\Store',
        ],
        'Larder\Code' => ['Larder\Discovery', 'Larder\Exception', 'Larder\Store'],
        // larder/console stands above them all.
        'Larder\Console' => [
            'Larder\Cache', 'Larder\Code', 'Larder\Dependency', 'Larder\Edge', 'Larder\Exception', 'Larder\Follow',
            'Larder\Lease', 'Larder\Metrics', 'Larder\Page', 'Larder\Row', 'Larder\Sql', 'Larder\Store',
        ],
        'Larder\Dashboard' => [
            'Larder\Cache', 'Larder\Dependency', 'Larder\Edge', 'Larder\Exception', 'Larder\Follow', 'Larder\Lease',
            'Larder\Metrics', 'Larder\Page', 'Larder\Sql', 'Larder\Store',
        ],
        'Larder\Bench\Exception' => [],
        'Larder\Bench\Statistics' => ['Larder\Testbed'],
        'Larder\Bench\Check' => ['Larder\Bench\Exception', 'Larder\Testbed'],
        'Larder\Bench\Result' => [
            'Larder\Bench\Check', 'Larder\Bench\Exception', 'Larder\Bench\Statistics', 'Larder\Testbed',
        ],
        // The file is the seam: a report knows what was found, and nothing of how.
        'Larder\Bench\Report' => ['Larder\Bench\Check', 'Larder\Bench\Exception', 'Larder\Bench\Result'],
        // A package of the library has the testbed for its tests, so the testbed needs no package.
        'Larder\Testbed' => [],
        'Larder\Testbed\Site' => ['Larder\Page', 'Larder\Sql', 'Larder\Testbed'],
        'Larder\Proof' => [
            'Larder\Bridge', 'Larder\Cache', 'Larder\Code', 'Larder\Dependency', 'Larder\Discovery',
            'Larder\Edge', 'Larder\Exception', 'Larder\Follow', 'Larder\Lease', 'Larder\Metrics', 'Larder\Page',
            'Larder\Row', 'Larder\Session', 'Larder\Sql', 'Larder\Store', 'Larder\Testbed', 'Larder\Tests\Support',
        ],
        'Larder\Bench\Server' => ['Larder\Bench\Exception', 'Larder\Edge', 'Larder\Page', 'Larder\Testbed'],
        'Larder\Bench\Subject' => [
            'Larder\Bench\Check', 'Larder\Bench\Exception', 'Larder\Bench\Result', 'Larder\Bench\Server',
            'Larder\Cache', 'Larder\Dependency', 'Larder\Metrics', 'Larder\Sql', 'Larder\Store', 'Larder\Testbed',
        ],
        'Larder\Bench\Workload' => [
            'Larder\Bench\Check', 'Larder\Bench\Exception', 'Larder\Cache', 'Larder\Code', 'Larder\Dependency',
            'Larder\Edge', 'Larder\Follow', 'Larder\Page', 'Larder\Row', 'Larder\Sql', 'Larder\Store',
            'Larder\Bench\Result', 'Larder\Bench\Server', 'Larder\Bench\Statistics', 'Larder\Bench\Subject',
            'Larder\Testbed',
        ],
        'Larder\Bench\Run' => [
            'Larder\Bench\Check', 'Larder\Bench\Exception', 'Larder\Bench\Result', 'Larder\Bench\Server',
            'Larder\Bench\Statistics', 'Larder\Bench\Subject', 'Larder\Bench\Workload', 'Larder\Testbed',
        ],
        'Larder\Bench\Console' => [
            'Larder\Bench\Check', 'Larder\Bench\Exception', 'Larder\Bench\Report', 'Larder\Bench\Result',
            'Larder\Bench\Run', 'Larder\Bench\Server', 'Larder\Bench\Subject', 'Larder\Bench\Workload',
            'Larder\Testbed',
        ],
        // What only developers run: it reads the library's files.
        'Larder\Tools' => [],
        'App' => [
            'Larder\Cache', 'Larder\Console', 'Larder\Dependency', 'Larder\Exception', 'Larder\Metrics', 'Larder\Page',
            'Larder\Psr', 'Larder\Sql', 'Larder\Store',
        ],
    ];

    /** Parts whose names begin as that of a part below them, which does not know them. */
    private const ABOVE = ['Larder\Testbed' => 'Larder\Testbed\Site'];

    /** What tests must not use: they use the testbed and what they test, and no other room's tests. */
    private const TESTS_MUST_NOT_USE = [
        'App\Tests' => ['Larder\Bench', 'Larder\Testbed\Tests', 'Larder\Tests', 'Larder\Proof'],
        'Larder\Bench\Tests' => ['App', 'Larder\Tests', 'Larder\Proof'],
        'Larder\Testbed\Tests' => ['App', 'Larder\Bench', 'Larder\Tests', 'Larder\Proof'],
        'Larder\Tests' => ['App', 'Larder\Bench', 'Larder\Testbed\Tests', 'Larder\Proof'],
        'Larder\Proof\Tests' => ['App', 'Larder\Tests'],
    ];

    /**
     * The contract of every store stands at the top of the library, since the extension declares it: who may use
     * Larder\Store may use it.
     */
    private const CONTRACT = [
        'Larder\Answer', 'Larder\Failure', 'Larder\FailureKind', 'Larder\Memcached', 'Larder\NearStore',
        'Larder\Outcome', 'Larder\Pipeline', 'Larder\SharedMemory', 'Larder\Store',
    ];

    /** @return iterable<string, BuildStep> */
    #[TestRule]
    public function onlyWhatStandsLower(): iterable
    {
        foreach (self::MAY_USE as $part => $others) {
            yield $part => PHPat::rule()
                ->classes(...self::namespaces([$part]))
                ->excluding(
                    ...self::namespaces([
                        'App\Tests',
                        'Larder\Testbed\Tests',
                        'Larder\Proof\Tests',
                        'Larder\Bench\Tests',
                        ...(isset(self::ABOVE[$part]) ? [self::ABOVE[$part]] : []),
                    ]),
                )
                ->shouldNot()->dependOn()
                ->classes(Selector::inNamespace('Larder'), Selector::inNamespace('App'))
                ->excluding(
                    self::clock(),
                    ...(\in_array('Larder\Store', [$part, ...$others], true) ? self::contract() : []),
                    ...self::namespaces([$part, ...$others]),
                )
                ->because(
                    \sprintf(
                        '%s may use itself%s',
                        $part,
                        implode('', array_map(static fn(string $name): string => ', ' . $name, $others)),
                    ),
                );
        }
    }

    /** @return iterable<string, BuildStep> */
    #[TestRule]
    public function nothingBelowUsesWhatStandsAbove(): iterable
    {
        foreach (self::ABOVE as $part => $above) {
            yield $part => PHPat::rule()
                ->classes(Selector::inNamespace($part))
                ->excluding(...self::namespaces([$above, $part . '\Tests']))
                ->shouldNot()->dependOn()
                ->classes(Selector::inNamespace($above))
                ->because(\sprintf('%s stands above %s', $above, $part));
        }
    }

    /** @return iterable<string, BuildStep> */
    #[TestRule]
    public function testsUseTheTestbedAndWhatTheyTest(): iterable
    {
        foreach (self::TESTS_MUST_NOT_USE as $tests => $others) {
            yield $tests => PHPat::rule()
                ->classes(Selector::inNamespace($tests))
                ->shouldNot()->dependOn()
                ->classes(...self::namespaces($others))
                ->excluding(...self::shared($tests))
                ->because(
                    \sprintf('%s uses the testbed and what it tests: nothing of %s', $tests, implode(', ', $others)),
                );
        }
    }

    #[TestRule]
    public function everyPartIsInTheTable(): BuildStep
    {
        return PHPat::rule()
            ->classes(Selector::inNamespace('Larder'))
            ->excluding(
                self::clock(),
                ...self::contract(),
                ...self::namespaces([
                    'Larder\Bench\Tests',
                    'Larder\Testbed\Tests',
                    'Larder\Tests',
                    'Larder\Proof\Tests',
                    ...array_keys(self::MAY_USE),
                ]),
            )
            ->shouldNot()->exist()
            ->because('a new part of the library needs a line in NamespaceRules::MAY_USE');
    }

    /** The namespace App is the one of every application, so nothing that people install may use the site. */
    #[TestRule]
    public function onlyItsTestsUseTheSite(): BuildStep
    {
        return PHPat::rule()
            ->classes(Selector::inNamespace('Larder'))
            ->shouldNot()->dependOn()
            ->classes(Selector::inNamespace('App'))
            ->because('a site is given as a directory, see Larder\Testbed\Site\DeployedSite');
    }

    #[TestRule]
    public function theLibrarysTestsUseTheTestbedOnly(): BuildStep
    {
        return PHPat::rule()
            ->classes(Selector::inNamespace('Larder\Tests'))
            ->shouldNot()->dependOn()
            ->classes(...self::namespaces(['Larder\Bench', 'Larder\Proof']))
            ->because('the library is tested without the rooms that measure and torment it');
    }

    #[TestRule]
    public function onlyTheConsoleKnowsItsFramework(): BuildStep
    {
        return PHPat::rule()
            ->classes(Selector::inNamespace('Larder'))
            ->excluding(
                ...self::namespaces([
                    'Larder\Bridge', 'Larder\Console', 'Larder\Proof', 'Larder\Testbed\Tests', 'Larder\Bench\Console',
                    'Larder\Bench\Subject', 'Larder\Bench\Tests', 'Larder\Testbed\Tests', 'Larder\Tests',
                    'Larder\Proof\Tests',
                ]),
            )
            ->shouldNot()->dependOn()
            ->classes(...self::namespaces(['Symfony', 'Monolog', 'Nyholm', 'Twig']))
            ->because('the library meets frameworks through PSR interfaces only, apart from its bridges');
    }

    /** @return list<SelectorInterface> what the tests of the packages share, and proof's tests with them */
    private static function shared(string $tests): array
    {
        return $tests === 'Larder\Proof\Tests' ? [Selector::inNamespace('Larder\Tests\Support')] : [];
    }

    /** The one class at the top of the library: a PSR-20 clock that anybody may take as the default. */
    private static function clock(): SelectorInterface
    {
        return Selector::classname('Larder\SystemClock');
    }

    /** @return list<SelectorInterface> */
    private static function contract(): array
    {
        return array_map(static fn(string $name): SelectorInterface => Selector::classname($name), self::CONTRACT);
    }

    /**
     * With the class of the same name, which stands before what it is made of.
     *
     * @param list<non-empty-string> $names
     *
     * @return list<SelectorInterface>
     */
    private static function namespaces(array $names): array
    {
        return [
            ...array_map(static fn(string $name): SelectorInterface => Selector::inNamespace($name), $names),
            ...array_map(static fn(string $name): SelectorInterface => Selector::classname($name), $names),
        ];
    }
}
