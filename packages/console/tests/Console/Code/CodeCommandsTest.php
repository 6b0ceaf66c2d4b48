<?php

declare(strict_types=1);

namespace Larder\Tests\Console\Code;

use Larder\Console\Application;
use Larder\Console\Code\CodeCommand;
use Larder\Console\Code\KeysCommand;
use Larder\Console\Code\Progress;
use Larder\Console\Code\PruneCommand;
use Larder\Console\Code\PullCommand;
use Larder\Console\Code\PushCommand;
use Larder\Console\Code\RollbackCommand;
use Larder\Console\Code\StatusCommand;
use Larder\Console\Code\SwitchCommand;
use Larder\Console\Code\WarmCommand;
use Larder\Console\Code\Warming;
use Larder\Console\Doctor\CodePoolChecks;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Input\ArgvInput;
use Symfony\Component\Console\Output\BufferedOutput;

#[CoversClass(CodeCommand::class)]
#[CoversClass(CodePoolChecks::class)]
#[CoversClass(KeysCommand::class)]
#[CoversClass(Progress::class)]
#[CoversClass(PruneCommand::class)]
#[CoversClass(PullCommand::class)]
#[CoversClass(PushCommand::class)]
#[CoversClass(RollbackCommand::class)]
#[CoversClass(StatusCommand::class)]
#[CoversClass(SwitchCommand::class)]
#[CoversClass(WarmCommand::class)]
#[CoversClass(Warming::class)]
final class CodeCommandsTest extends TestCase
{
    private TemporaryDirectory $directory;
    private Memcached $memcached;
    private ?PhpFpm $php = null;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('larder-code-cli');
        $this->memcached = new Memcached($this->directory->path . '/pool');
        mkdir($this->directory->path . '/source');
        file_put_contents($this->directory->path . '/source/a.php', '<?php return "one";');
        $this->answer("keys {$this->directory->path}/key");
    }

    protected function tearDown(): void
    {
        $this->php?->stop();
        $this->memcached->stop();
        $this->directory->remove();
    }

    public function testAReleaseGoesFromADirectoryToAHostAndBack(): void
    {
        self::assertSame(0o600, fileperms($this->directory->path . '/key') & 0o777);
        $pushed = $this->answer('push SOURCE POOL SECRET --release=r1');
        self::assertSame(['r1', 1, 19], [$pushed['release'], $pushed['files'], $pushed['bytes']]);
        $pulled = $this->answer('pull POOL KEY ROOT');
        self::assertSame([true, 3], [$pulled['new'], $pulled['trips']]);
        $this->answer('switch ROOT');
        file_put_contents($this->directory->path . '/source/a.php', '<?php return "two";');
        $this->answer('push SOURCE POOL SECRET --release=r2');
        self::assertSame('r2', self::part($this->answer('status ROOT POOL KEY'), 'pool', 'release'));
        $this->answer('pull POOL KEY ROOT');
        self::assertSame('r1', $this->answer('switch ROOT')['former']);
        self::assertSame('r1', $this->answer('rollback ROOT')['release']);
        self::assertStringContainsString('was rolled back here', $this->error('switch ROOT', 2));
        $status = $this->answer('status ROOT --verify');
        self::assertSame(['r1', []], [$status['current'], $status['differing']]);
        file_put_contents($this->directory->path . '/root/current/a.php', 'by hand');
        self::assertSame(['a.php'], $this->answer('status ROOT --verify', 1)['differing']);
        self::assertSame([], $this->answer('prune ROOT --keep=2')['removed']);
    }

    public function testAHostIsToldWhatItTakesAndTheReleaseHowLongItIsTaken(): void
    {
        $pushed = $this->answer('push SOURCE POOL SECRET --release=r1 --valid-for=1');
        self::assertIsInt($pushed['number']);
        self::assertStringContainsString(
            'this host takes none below',
            $this->error('pull POOL KEY ROOT --at-least=' . ($pushed['number'] + 1), 1),
        );
        $renewed = $this->answer('renew POOL SECRET --valid-for=48');
        self::assertSame('r1', $renewed['release']);
        self::assertEqualsWithDelta(time() + 48 * 3600, $renewed['until'], 600);
        self::assertSame('r1', $this->answer("pull POOL KEY ROOT --at-least={$pushed['number']}")['release']);
        foreach (['push SOURCE POOL SECRET --valid-for=0', 'renew POOL SECRET --valid-for=x'] as $wrong) {
            self::assertStringContainsString('is a whole number of hours', $this->error($wrong, 2));
        }
        $wrong = $this->error('pull POOL KEY ROOT --at-least=r1', 2);
        self::assertStringContainsString('is the number of a release', $wrong);
        file_put_contents($this->directory->path . '/source/.env', 'A=1');
        self::assertStringContainsString('in the clear: .env', $this->error('push SOURCE POOL SECRET', 2));
        self::assertSame(2, $this->answer('push SOURCE POOL SECRET --include=.env')['files']);
    }

    public function testPhpFpmCompilesAReleaseBeforeItIsServed(): void
    {
        $path = $this->directory->path;
        file_put_contents("$path/source/broken.php", "<?php\nthis is no PHP");
        file_put_contents("$path/source/twice.php", '<?php function larder_twice() {} function larder_twice() {}');
        file_put_contents("$path/source/z.php", '<?php final class Z {}');
        $this->answer('push SOURCE POOL SECRET --release=r1');
        $this->answer('pull POOL KEY ROOT');
        mkdir("$path/fpm");
        $this->php = new PhpFpm("$path/fpm", Account::of('root'), 1, startup: ['opcache.validate_timestamps' => '0']);
        $warmed = $this->answer("warm ROOT --php={$this->php->socket}");
        self::assertSame(2, $warmed['compiled']);
        self::assertIsArray($warmed['failed']);
        self::assertSame(['broken.php', 'twice.php'], array_keys($warmed['failed']));
        self::assertStringContainsString('syntax error', self::part($warmed, 'failed', 'broken.php'));
        self::assertStringContainsString('could not compile', self::part($warmed, 'failed', 'twice.php'));

        file_put_contents("$path/look.php", '<?php echo json_encode(array_map("opcache_is_script_cached",
            ["' . $path . '/root/releases/r1/a.php", "' . $path . '/root/releases/r1/z.php"]));');
        self::assertSame('[true,true]', (new FastCgi($this->php->socket, "$path/look.php"))->get(''));
        // Nobody else can make it do anything.
        self::assertNull((new FastCgi($this->php->socket, "$path/root/warm.php"))->get(''));
        self::assertStringContainsString('cannot be asked', $this->error("warm ROOT --php=$path/none", 2));
    }

    /** Whatever stands in the files: only what declares classes is included, and each class once. */
    public function testClassesAreLinkedAndNothingElseRuns(): void
    {
        $path = $this->directory->path;
        $marker = "$path/ran";
        $run = 'touch(' . var_export($marker, true) . ');';
        foreach ([
            // Its parent comes behind it, and in another directory.
            'app/Child.php' => 'declare(strict_types=1); namespace App; use Lib\{Base, Marked}; #[Marked([1])] final'
                . ' readonly class Child extends Base'
                . ' { public function a(string $b): string { return "}{$b}${b}{"; } }',
            'lib/Base.php' => 'namespace Lib; abstract readonly class Base implements Named { }',
            'lib/Named.php' => 'namespace Lib { interface Named { } }',
            'lib/Marked.php' => 'namespace Lib; #[\Attribute] class Marked'
                . ' { public function __construct(array $a) {} }',
            'lib/Suit.php' => 'namespace Lib; enum Suit: string { case Hearts = "h"; }',
            'lib/Orphan.php' => 'namespace Lib; class Orphan extends Nobody { }',
            'lib/Wrong.php' => 'namespace Lib; class Wrong implements \Countable'
                . ' { public function count(int $a): int { } }',
            'lib/other/Suit.php' => 'namespace Lib; enum Suit: string { case Spades = "s"; }',
            'run/Runs.php' => "class Runs { } $run",
            'run/If.php' => "if (true) { class Conditional { } } $run",
            'run/functions.php' => 'function larder_f() { }',
            'run/Html.php' => "class Html { } ?>text<?php $run",
        ] as $file => $code) {
            @mkdir(\dirname("$path/source/$file"), recursive: true);
            file_put_contents("$path/source/$file", "<?php\n$code\n");
        }
        $this->answer('push SOURCE POOL SECRET --release=r1');
        $this->answer('pull POOL KEY ROOT');
        mkdir("$path/fpm");
        $this->php = new PhpFpm("$path/fpm", Account::of('root'), 1);
        $warmed = $this->answer("warm ROOT --php={$this->php->socket}");
        self::assertSame([], $warmed['failed']);
        // Wrong ends its request, so that the other Suit is linked in the next one.
        self::assertSame([13, 6], [$warmed['compiled'], $warmed['linked']]);
        self::assertFileDoesNotExist($marker);
    }

    public function testAReleaseThatPhpFpmMayNotReadIsNotWarm(): void
    {
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('needs root, for a php-fpm of another user');
        }
        $path = $this->directory->path;
        file_put_contents("$path/source/own.php", '<?php return 1;');
        chmod("$path/source/own.php", 0o600);
        $this->answer('push SOURCE POOL SECRET --release=r1');
        $this->answer('pull POOL KEY ROOT');
        mkdir("$path/fpm");
        $this->php = new PhpFpm("$path/fpm", Account::of('www-data'), 1);
        $warmed = $this->answer("warm ROOT --php={$this->php->socket}", 1);
        self::assertSame(1, $warmed['compiled']);
        self::assertSame(['own.php' => 'php-fpm\'s user may not read it'], $warmed['failed']);
        self::assertIsString($warmed['remedy']);
        self::assertStringContainsString('chmod -R a+rX', $warmed['remedy']);
    }

    public function testDoctorLooksAtThePool(): void
    {
        $checks = $this->checks('POOLADDRESS');
        self::assertSame('ok', $checks["{$this->memcached->endpoint()->address()} takes items of 1 MB"]);
        $small = new Memcached($this->directory->path . '/small', options: ['-I', '512k', '-o', 'slab_chunk_max=256']);
        try {
            $address = $small->endpoint()->address();
            self::assertSame('failed', $this->checks($address)["$address takes items of 1 MB"]);
        } finally {
            $small->stop();
        }
        $address = $small->endpoint()->address();
        self::assertSame('failed', $this->checks($address)["$address answers"]);
    }

    public function testWhatIsMissingIsNamed(): void
    {
        self::assertStringContainsString('--name or LARDER_CODE_NAME', $this->error('push SOURCE SECRET', 2));
        self::assertStringContainsString('--keep is a number from 2', $this->error('prune ROOT --keep=1', 2));
        self::assertStringContainsString('cannot be read', $this->error('pull POOL ROOT --key=/none', 2));
        self::assertStringContainsString('There is no release of "shop"', $this->error('pull POOL KEY ROOT', 1));
        self::assertStringContainsString('No release was pulled', $this->error('switch ROOT', 2));
        chmod($this->directory->path . '/key', 0o644);
        self::assertStringContainsString('chmod 600', $this->error('push SOURCE POOL SECRET', 2));
        self::assertStringContainsString('is there already', $this->error("keys {$this->directory->path}/key", 2));
    }

    /** @return array<array-key, mixed> */
    private function answer(string $words, int $code = 0): array
    {
        [$ended, $said] = $this->command('code ' . $words);
        self::assertSame($code, $ended, json_encode($said, JSON_THROW_ON_ERROR));

        return $said;
    }

    private function error(string $words, int $code): string
    {
        return self::part(['all' => $this->answer($words, $code)], 'all', 'error');
    }

    /** @return array<string, string> state by check */
    private function checks(string $pool): array
    {
        [, $said] = $this->command("doctor --pool=$pool");
        self::assertIsArray($said['checks'] ?? null);
        $states = [];
        foreach ($said['checks'] as $check) {
            self::assertIsArray($check);
            $name = self::part(['check' => $check], 'check', 'check');
            $states[$name] = self::part(['check' => $check], 'check', 'state');
        }

        return $states;
    }

    /** @return array{int, array<array-key, mixed>} */
    private function command(string $words): array
    {
        $path = $this->directory->path;
        $address = $this->memcached->endpoint()->address();
        $words = strtr($words, [
            'POOLADDRESS' => $address,
            'SOURCE' => "$path/source",
            'POOL' => "--pool=$address --name=shop",
            'SECRET' => "--secret=$path/key",
            'KEY' => "--key=$path/key.pub",
            'ROOT' => "--root=$path/root",
        ]);
        $application = Application::create();
        $application->setAutoExit(false);
        $output = new BufferedOutput();
        $input = $application->joined(['larder', ...explode(' ', $words), '--format=json']);
        $code = $application->run(new ArgvInput($input), $output);
        $said = json_decode($output->fetch(), true);
        self::assertIsArray($said);

        return [$code, $said];
    }

    /** @param array<array-key, mixed> $values */
    private static function part(array $values, string $name, string $key): string
    {
        $part = $values[$name] ?? null;
        self::assertIsArray($part);
        self::assertIsString($part[$key] ?? null);

        return $part[$key];
    }
}
