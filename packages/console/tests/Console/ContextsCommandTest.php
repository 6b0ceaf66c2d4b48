<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Console\Application;
use Larder\Console\ContextsCommand;
use Larder\Console\ContextsRevokeCommand;
use Larder\Console\ContextsSecretCommand;
use Larder\Page\ContextSecrets;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Page\NginxContextsTest;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Tester\CommandTester;

#[CoversClass(ContextsCommand::class)]
#[CoversClass(ContextsRevokeCommand::class)]
#[CoversClass(ContextsSecretCommand::class)]
final class ContextsCommandTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        file_put_contents($this->directory->path . '/larder.php', \sprintf(
            '<?php return %s::site(%s);',
            NginxContextsTest::class,
            var_export($this->directory->path, true),
        ));
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testTheSecretIsMadeAndReplacedAndRevoked(): void
    {
        [$code, $made] = $this->command('contexts:secret');
        $file = $this->directory->path . '/contexts.secrets';
        self::assertSame(0, $code);
        self::assertStringContainsString("$file has version 1.\nIt is the only one that is accepted.", $made);
        self::assertStringContainsString('nginx knows nothing of it yet: reload it.', $made);
        self::assertStringNotContainsString(ContextSecrets::of($file)->newest(), $made);

        $next = $this->command('contexts:secret')[1];
        self::assertStringContainsString("has version 2.\nCookies of version 1 are accepted too.", $next);
        self::assertSame([2, 1], ContextSecrets::of($file)->versions());

        $reload = 'echo read > ' . escapeshellarg($this->directory->path . '/reloaded');
        [$code, $revoked] = $this->command('contexts:revoke', ['--reload' => $reload, '--format' => 'json']);
        self::assertSame(0, $code);
        self::assertSame(
            ['file' => $file, 'version' => 3, 'accepted' => [3], 'reloaded' => true],
            json_decode($revoked, true),
        );
        self::assertStringEqualsFile($this->directory->path . '/reloaded', "read\n");
        self::assertSame([3], ContextSecrets::of($file)->versions());
    }

    public function testAReloadThatFailsIsAFailureThatSaysWhatItMeans(): void
    {
        [$code, $said] = $this->command('contexts:revoke', ['--reload' => 'echo no such nginx >&2; exit 7']);

        self::assertSame(1, $code);
        self::assertStringContainsString("no such nginx\n\"echo no such nginx >&2; exit 7\" failed with 7.\n", $said);
        self::assertStringContainsString('goes on accepting the old ones', $said);
        self::assertStringNotContainsString('nginx is reloaded', $said);
    }

    public function testASiteWithoutContextsHasNoSecret(): void
    {
        file_put_contents($this->directory->path . '/larder.php', \sprintf(
            '<?php return (new %s(%s))->site;',
            FixtureSite::class,
            var_export($this->directory->path, true),
        ));

        self::assertSame([2, "This site has no contexts.\n"], $this->command('contexts:secret'));
    }

    /**
     * @param array<string, string> $input
     *
     * @return array{int, string}
     */
    private function command(string $command, array $input = []): array
    {
        $tester = new CommandTester(Application::create()->find($command));
        $code = $tester->execute($input + ['--site' => $this->directory->path . '/larder.php']);

        return [$code, $tester->getDisplay()];
    }
}
