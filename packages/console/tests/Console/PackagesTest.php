<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Console\Application;
use Larder\Console\Packages;
use Larder\Console\Refused;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Input\StringInput;
use Symfony\Component\Console\Output\BufferedOutput;

#[CoversClass(Packages::class)]
#[CoversClass(Application::class)]
final class PackagesTest extends TestCase
{
    private const VERSION = '0.1.0';

    /** @param list<string> $packages */
    #[TestWith([[], 'deploy', 'pages'])]
    #[TestWith([['pages'], 'follow', 'rows'])]
    #[TestWith([['pages', 'rows'], 'code:push', 'code'])]
    #[TestWith([['pages', 'rows'], 'help code:push', 'code'])]
    #[TestWith([[], 'doctor', 'pages'])]
    public function testACommandOfAMissingPackageSaysWhichOne(array $packages, string $line, string $missing): void
    {
        $command = array_reverse(explode(' ', $line))[0];
        $application = Application::create(self::of($packages));
        self::assertFalse($application->has($command));
        self::assertStringNotContainsString($command, self::said($application, 'list --raw', 0));

        $message = "\"$command\" is a command of larder/$missing, which \"composer require larder/$missing\" installs.";
        self::assertSame($message . "\n", self::said($application, $line, 2));
        $answer = self::said($application, "$line --format=json", 2);
        self::assertSame(['error' => $message], json_decode($answer, true));
    }

    #[TestWith(['pages'])]
    #[TestWith(['rows'])]
    #[TestWith(['code'])]
    public function testTheDoctorComesWithEachPackageThatItLooksAt(string $package): void
    {
        self::assertTrue(Application::create(self::of([$package]))->has('doctor'));
    }

    public function testTwoWordsAreACommandOfAMissingPackageToo(): void
    {
        $application = Application::create(self::of([]));

        self::assertSame(['larder', 'code:push', '.'], $application->joined(['larder', 'code', 'push', '.']));
        self::assertSame(['larder', 'code', 'other'], $application->joined(['larder', 'code', 'other']));
    }

    public function testACommandThatNoPackageHasIsUnknown(): void
    {
        $said = self::said(Application::create(self::of([])), 'depploy', 2);

        self::assertStringContainsString('Command "depploy" is not defined', $said);
    }

    public function testPackagesOfTwoVersionsAreRefusedBeforeAnythingRuns(): void
    {
        $packages = new Packages(['cache' => self::VERSION, 'console' => self::VERSION, 'pages' => '0.2.0']);
        $said = self::said(Application::create($packages), 'list', 2);

        self::assertStringContainsString('larder/pages is of version 0.2.0 and larder/console of 0.1.0', $said);
        self::assertStringNotContainsString('Available commands', $said);
    }

    /** As in a copy of the sources with an autoloader of its own. */
    public function testWithoutVersionsNothingIsRefused(): void
    {
        (new Packages(array_fill_keys(['cache', 'console', 'pages'], null)))->mustBeOfOneVersion();
        $this->expectException(Refused::class);
        (new Packages(['cache' => null, 'console' => self::VERSION]))->mustBeOfOneVersion();
    }

    public function testWhatAnOptionNeedsIsNamed(): void
    {
        self::of(['code'])->mustHave('code', '--pool');
        $this->expectExceptionMessage('--pool needs larder/code, which "composer require larder/code" installs');
        self::of([])->mustHave('code', '--pool');
    }

    public function testHereAllAreInstalled(): void
    {
        foreach (['cache', 'code', 'console', 'pages', 'rows', 'sql'] as $name) {
            self::assertTrue(Packages::installed()->has($name), $name);
        }
        self::assertFalse(Packages::installed()->has('laravel'));
    }

    /** @param list<string> $names */
    private static function of(array $names): Packages
    {
        return new Packages(array_fill_keys(['cache', 'console', ...$names], self::VERSION));
    }

    private static function said(Application $application, string $line, int $expected): string
    {
        $application->setAutoExit(false);
        $output = new BufferedOutput();
        self::assertSame($expected, $application->run(new StringInput($line), $output));

        return $output->fetch();
    }
}
