<?php

declare(strict_types=1);

namespace Larder\Tests\Code;

use Larder\Code\Exception\CodePoolFailed;
use Larder\Code\Exception\CodeRefused;
use Larder\Code\Loader;
use Larder\Code\MemcachedPool;
use Larder\Code\Puller;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Requests to a php-fpm on a host that has no file of the application. */
#[CoversClass(Loader::class)]
#[CoversClass(Puller::class)]
final class FreshHostTest extends TestCase
{
    private const VISITORS = 6;

    private Shop $shop;
    private Memcached $memcached;
    private PhpFpm $php;
    private string $front;

    protected function setUp(): void
    {
        $directory = new TemporaryDirectory('larder-code');
        $path = $directory->path;
        $this->memcached = new Memcached($path . '/pool');
        $address = $this->memcached->endpoint()->address();
        $this->shop = new Shop(new MemcachedPool($address), $directory);
        $autoload = \dirname(__DIR__, 4) . '/vendor/autoload.php';
        $account = Account::ableToReach($autoload);
        foreach (['fpm', 'srv'] as $directory) {
            $account->own("$path/$directory");
        }
        file_put_contents("$path/key.pub", $this->shop->key->public()->text());
        $this->front = "$path/front.php";
        file_put_contents($this->front, "<?php require '$autoload';
            \$loader = new Larder\\Code\\Loader(
                new Larder\\Code\\MemcachedPool('$address'),
                Larder\\Code\\PublicKey::read('$path/key.pub'),
                'shop',
                new Larder\\Code\\Releases('$path/srv/host'),
            );
            \$loader->autoload(['Shop\\\\' => 'src']);
            try {
                echo json_encode(\$loader->load('public/index.php'));
            } catch (Throwable \$thrown) {
                echo \$thrown::class, ': ', \$thrown->getMessage();
            }");
        chmod($path, 0o755);
        $this->php = new PhpFpm("$path/fpm", $account, self::VISITORS, startup: ['opcache.enable' => '1']);
    }

    protected function tearDown(): void
    {
        $this->php->stop();
        $this->memcached->stop();
        $this->shop->remove();
    }

    public function testTheFirstRequestsAreServedFromThePoolAndPullOnce(): void
    {
        $this->shop->write([
            'public/index.php' => '<?php return [(new Shop\Cart())->sum(), __DIR__];',
            'src/Cart.php' => '<?php declare(strict_types=1); namespace Shop;
                final class Cart { public function sum(): int { return 42; } }',
            'large' => random_bytes(5_000_000),
        ])->push('r1');
        $pool = new MemcachedPool($this->memcached->endpoint()->address());
        $before = (int) $pool->stats($pool->servers()[0])['get_hits'];
        $path = $this->shop->directory->path;
        $visitors = new WorkerPool(function (int $number) use ($path): void {
            $answer = (new FastCgi($this->php->socket, $this->front, 60))->get('');
            file_put_contents("$path/answer-$number", (string) $answer);
        });
        $visitors->fill(self::VISITORS);
        foreach ($visitors->end(120.0) as $end) {
            self::assertTrue($end->finished, $end->reason());
        }
        for ($number = 0; $number < self::VISITORS; ++$number) {
            self::assertSame(
                [42, "$path/srv/host/releases/r1/public"],
                json_decode((string) file_get_contents("$path/answer-$number"), true),
            );
        }
        // Each asked for the record at most once, and one of them for the list and the packs.
        $once = 1 + \count($this->shop->releases('srv/host')->manifest('r1')->packs);
        $gets = (int) $pool->stats($pool->servers()[0])['get_hits'] - $before;
        self::assertGreaterThan($once, $gets);
        self::assertLessThanOrEqual($once + self::VISITORS, $gets, 'the others waited for the one that pulled');

        // From then on nobody needs the pool.
        $this->memcached->stop();
        self::assertStringStartsWith('[42', (string) (new FastCgi($this->php->socket, $this->front))->get(''));
    }

    public function testARequestOfAHostWithoutFilesNamesWhatIsWrongWithThePool(): void
    {
        self::assertSame(
            CodeRefused::class . ': There is no release of "shop" in the pool: run larder code:push',
            (new FastCgi($this->php->socket, $this->front))->get(''),
        );
        $this->memcached->stop();
        self::assertStringStartsWith(
            CodePoolFailed::class . ': ',
            (new FastCgi($this->php->socket, $this->front))->get(''),
        );
    }
}
