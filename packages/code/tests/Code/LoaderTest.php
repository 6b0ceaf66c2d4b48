<?php

declare(strict_types=1);

namespace Larder\Tests\Code;

use Larder\Code\ClassLoader;
use Larder\Code\Exception\CodeFailed;
use Larder\Code\Exception\CodeRefused;
use Larder\Code\Exception\InvalidCode;
use Larder\Code\Loader;
use Larder\Code\Repair;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use TypeError;

#[CoversClass(Loader::class)]
#[CoversClass(ClassLoader::class)]
#[CoversClass(Repair::class)]
final class LoaderTest extends TestCase
{
    private ArrayPool $pool;
    private Shop $shop;

    protected function setUp(): void
    {
        $this->pool = new ArrayPool();
        $this->shop = new Shop($this->pool);
    }

    protected function tearDown(): void
    {
        $this->shop->remove();
    }

    public function testAHostWithoutAnyFileRunsThemFromThePool(): void
    {
        $this->shop->write([
            'answer.php' => '<?php return ["answer" => 42, "dir" => __DIR__, "file" => __FILE__];',
            'lib/open.php' => "<?php\n\nnamespace Inside;\n\nreturn __NAMESPACE__ . __LINE__;\n",
            'bom.php' => "\xef\xbb\xbf<?php return 'bom';",
            'text.html' => 'no tag',
        ])->push('r1');
        $loader = $this->loader();
        $path = $this->shop->releases()->path('r1');
        $before = $this->pool->trips();

        self::assertSame(
            ['answer' => 42, 'dir' => $path, 'file' => "$path/answer.php"],
            $loader->load('answer.php'),
        );
        self::assertSame(3, $this->pool->trips() - $before, 'the record, the list, the packs');
        self::assertSame('r1', $this->shop->releases()->current());
        ob_start();
        $loaded = $loader->load(['lib/open.php', 'bom.php', 'text.html']);
        $printed = ob_get_clean();
        self::assertSame(['lib/open.php' => 'Inside5', 'bom.php' => 'bom', 'text.html' => 1], $loaded);
        self::assertSame("\xef\xbb\xbfno tag", $printed, 'as include does');
    }

    public function testErrorsAreThoseOfTheFile(): void
    {
        $this->shop->write([
            'throws.php' => "<?php\n\n\nthrow new RuntimeException('here');\n",
            'strict.php' => "<?php\ndeclare(strict_types=1);\nreturn strlen(5);\n",
            'loose.php' => "<?php\nreturn strlen(5);\n",
        ])->push();
        $loader = $this->loader();
        try {
            $loader->load('throws.php');
            self::fail('nothing was thrown');
        } catch (RuntimeException $thrown) {
            self::assertSame(4, $thrown->getLine());
            self::assertSame($loader->directory() . '/throws.php', $thrown->getFile());
        }
        self::assertSame(1, $loader->load('loose.php'));
        $this->expectException(TypeError::class);
        $loader->load('strict.php');
    }

    public function testFilesRunInTheOrderAskedForAndOnceMeansOnce(): void
    {
        $add = '<?php $GLOBALS["larder_order"][] = basename(__FILE__); return "made";';
        $this->shop->write(['a.php' => $add, 'b.php' => $add, 'c.php' => $add])->push();
        $GLOBALS['larder_order'] = [];
        $loader = $this->loader();
        // Two of them are not on the disk any more, and come from the pool.
        unlink($loader->directory() . '/b.php');
        unlink($loader->directory() . '/a.php');
        exec('rm ' . escapeshellarg($this->shop->releases()->directory) . '/packs/*');
        $before = $this->pool->trips();
        $loader->load(['c.php', 'b.php', 'a.php']);
        self::assertSame(1, $this->pool->trips() - $before, 'all that is missing in one trip');
        self::assertSame(['made', true], [$loader->once('c.php') === true ? 'made' : '', $loader->once('c.php')]);
        self::assertSame(['c.php', 'b.php', 'a.php'], $GLOBALS['larder_order']);
        unset($GLOBALS['larder_order']);
    }

    public function testAFileThatTheReleaseDoesNotHave(): void
    {
        $this->shop->write(['a.php' => '<?php return 1;'])->push('r1');
        $loader = $this->loader();
        self::assertSame(['a.php' => 1, 'none.php' => null], $loader->load(['a.php', 'none.php'], required: false));
        $this->expectException(CodeFailed::class);
        $this->expectExceptionMessage('The release r1 has no file "none.php"');
        $loader->load('none.php');
    }

    public function testAFileThatIsOptionalComesBackToo(): void
    {
        $this->shop->write(['config/"ä".php' => '<?php return 1;', 'b.php' => '<?php return 2;']);
        symlink('b.php', $this->shop->source . '/l.php');
        $this->shop->push('r1');
        $loader = $this->loader();
        foreach (['config/"ä".php', 'l.php'] as $path) {
            unlink($loader->directory() . '/' . $path);
        }
        self::assertSame(
            ['config/"ä".php' => 1, 'l.php' => 2, '.php' => null],
            $loader->load(['config/"ä".php', 'l.php', '.php'], required: false),
        );
        self::assertSame('b.php', readlink($loader->directory() . '/l.php'));
        unlink($loader->directory() . '/b.php');
        self::assertSame(2, $loader->load('b.php'));
        $before = $this->pool->trips();
        self::assertNull($loader->load('none.php', required: false));
        self::assertSame($before, $this->pool->trips(), 'what the release does not have, the pool is not asked for');
    }

    public function testAFileThatWasLostAndIsNotInThePoolIsNamed(): void
    {
        $this->shop->write(['src/a.php' => '<?php return 1;'])->push();
        $loader = $this->loader();
        unlink($loader->directory() . '/src/a.php');
        exec('rm ' . escapeshellarg($this->shop->releases()->directory) . '/packs/*');
        foreach (['is there no more' => null, 'is another one' => 'spoilt'] as $value) {
            foreach (array_keys($this->pool->items) as $key) {
                $this->pool->items[$key] = (string) $value;
            }
            try {
                $loader->load('src/a.php');
                self::fail('it was loaded');
            } catch (CodeRefused $refusal) {
                self::assertStringContainsString('src/a.php is not here', $refusal->getMessage());
            }
        }
    }

    public function testAPathThatLeadsOutIsRefused(): void
    {
        $this->shop->write(['a.php' => ''])->push();
        foreach (['../a.php', '/etc/passwd', 'http://example.net/a.php', "a\0.php"] as $path) {
            try {
                $this->loader()->load($path);
                self::fail($path);
            } catch (InvalidCode $refusal) {
                self::assertStringContainsString('is not a path below the release', $refusal->getMessage());
            }
        }
    }

    public function testClassesAreLoadedFromTheRelease(): void
    {
        $name = 'Shop' . bin2hex(random_bytes(4));
        $this->shop->write(['src/Cart/Item.php' => "<?php namespace $name\\Cart; final class Item {}"])->push();
        $loader = $this->loader()->autoload([$name . '\\' => 'src/']);
        self::assertTrue(class_exists($name . '\Cart\Item'));
        self::assertFalse(class_exists($name . '\Cart\None'));
        unset($loader);
    }

    public function testALoaderStaysWithItsRelease(): void
    {
        $this->shop->write(['a.php' => '<?php return 1;'])->push('r1');
        $loader = $this->loader();
        $loader->load('a.php');
        $this->shop->write(['a.php' => '<?php return 2;'])->push('r2');
        $this->shop->puller()->pull();
        $this->shop->releases()->switchTo('r2');

        self::assertSame(1, $loader->load('a.php'));
        self::assertSame(2, $this->loader()->load('a.php'));
    }

    public function testFlushingAllTakesThisApplicationAloneOutOfThePool(): void
    {
        $this->shop->write(['a.php' => '<?php return 1;'])->push();
        $this->pool->items['somebody.else'] = 'stays';
        $loader = $this->loader();
        $loader->load('a.php');

        self::assertSame(3, $loader->flushAll());
        self::assertSame(['somebody.else' => 'stays'], $this->pool->items);
        self::assertSame(1, $loader->load('a.php'), 'what is served stays');
        self::assertSame(0, $loader->flushAll());
    }

    public function testFlushingAllTakesWhatOtherReleasesLeft(): void
    {
        $this->pool->items['somebody.else'] = 'stays';
        foreach (['r1', 'r2', 'r3'] as $release) {
            $this->shop->write(['a' => random_bytes(1000)])->push($release);
        }
        $this->loader()->flushAll();
        self::assertSame(['somebody.else'], array_keys($this->pool->items));

        $this->shop->push('r4');
        foreach (array_keys($this->pool->items) as $key) {
            if (!str_ends_with($key, '.head')) {
                unset($this->pool->items[$key]);
            }
        }
        self::assertSame(1, $this->loader()->flushAll(), 'the record of a release whose list was displaced');
        self::assertSame([], $this->pool->items);
    }

    public function testAFileThatWasChangedByHandComesBack(): void
    {
        $this->shop->write(['a.php' => '<?php return 1;', 'b.php' => 'b'])->push();
        $loader = $this->loader();
        $path = $loader->directory() . '/b.php';
        file_put_contents($path, 'changed');
        exec('rm ' . escapeshellarg($this->shop->releases()->directory) . '/packs/*');
        $loader->flush('b.php');
        self::assertStringEqualsFile($path, 'b');
    }

    private function loader(): Loader
    {
        return new Loader($this->pool, $this->shop->key->public(), Shop::NAME, $this->shop->releases());
    }
}
