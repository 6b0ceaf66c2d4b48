<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Dependency\RecordingPdo;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Testbed\ClassMap;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\TestCase;

/** A site with parts over real nginx and php-fpm; each store of pages is a class of its own. */
abstract class ServedPartsCase extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        %s::answer(%2$s::site(%s, %s));
        PHP;

    protected static TemporaryDirectory $directory;
    protected static RunningSite $running;
    protected static Site $site;

    /**
     * Starts what the pages are kept in.
     *
     * @return list<string> servers as Storage::$memcached has them
     */
    abstract protected static function startStore(string $directory): array;

    abstract protected static function stopStore(): void;

    public static function tearDownAfterClass(): void
    {
        self::$running->stop();
        static::stopStore();
        self::$directory->remove();
    }

    /**
     * @param class-string $class has site(), of a directory and memcached servers, and answer(), of a site
     * @param Closure(string, list<string>): Site $site makes the same site, and what it needs in the directory
     * @param Closure(RecordingPdo): list<string> $fill makes the tables, and says what directories PHP writes to
     */
    protected static function serve(string $class, Closure $site, Closure $fill): void
    {
        self::$directory = new TemporaryDirectory('larder-parts');
        $home = self::$directory->path;
        $memcached = static::startStore($home);
        self::$site = $site($home, $memcached);
        $front = $home . '/front.php';
        self::loader($home);
        $words = array_map(
            static fn(mixed $word): string => var_export($word, true),
            [$home . '/autoload.php', $home, $memcached],
        );
        file_put_contents($front, \sprintf(self::FRONT, $words[0], '\\' . $class, $words[1], $words[2]));
        $writable = $fill(self::writer());
        Pages::of(self::$site)->deploy('r1');
        self::$running = RunningSite::start(self::$site, $home . '/run', $front, writable: $writable);
    }

    /** As a site has it: that of development loads some eighty files for each of thousands of requests. */
    private static function loader(string $home): void
    {
        $root = \dirname(__DIR__, 3);
        $classes = [];
        foreach ((array) glob($root . '/proof/support/*.php') as $file) {
            $classes['Larder\\Proof\\Support\\' . basename((string) $file, '.php')] = (string) $file;
        }
        ClassMap::write($home, $root . '/vendor', $root . '/lib', $classes);
    }

    protected static function writer(): RecordingPdo
    {
        $writer = Pages::of(self::$site)->connect();
        self::assertInstanceOf(RecordingPdo::class, $writer);

        return $writer;
    }
}
