<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Dependency\ColumnType;
use Larder\Dependency\Registry;
use Larder\Dependency\Table;
use Larder\Testbed\ClassMap;
use RuntimeException;

/**
 * A copy of the example site's code, of which releases are made.
 *
 * Items and feeds include a PHP file that says `[release:N]`, and so does the Twig template of categories. The front
 * page does without.
 */
final readonly class SiteCode
{
    private const INCLUDE = " . (\\in_array(\$template, ['item.html.twig', 'feed.xml.twig'], true)"
        . " ? require \\dirname(__DIR__, 2) . '/templates/release.php' : '')";

    /** Seconds for which others wait for a renderer that was killed, where the lease lies in memcached: most are. */
    private const LEASE = 1;

    private const TEMPLATE = '/templates/category.html.twig';
    private const MAIN = '{% block main %}';

    /** Where the code of a release says what it declares. */
    private const REGISTRY = '/src/registry.php';

    private function __construct(
        public string $directory,
        private string $template,
    ) {}

    /**
     * @param string $root      the example site
     * @param string $directory for the copy and the autoloader beside it, as production has one; exists
     */
    public static function copy(string $root, string $directory, MissingGuard $missing = MissingGuard::None): self
    {
        $code = $directory . '/code';
        mkdir($code);
        foreach (['larder.php', 'public', 'src', 'templates'] as $part) {
            exec(\sprintf('cp -R %s %s', escapeshellarg("$root/$part"), escapeshellarg($code)), result_code: $status);
            if ($status !== 0) {
                throw new RuntimeException("Cannot copy $root/$part to $code.");
            }
        }
        mkdir($directory . '/vendor');
        mkdir($directory . '/vendor/production');
        ClassMap::ofPackages($directory . '/vendor/production', \dirname($root) . '/vendor', [
            'App\\' => $code . '/src',
        ]);
        $autoload = "<?php\n\n\$loader = require __DIR__ . '/production/autoload.php';\n";
        // php-fpm only loads what is made here.
        foreach ($missing->mutants() as $mutant) {
            file_put_contents($directory . '/vendor/mutant.php', $mutant->file());
            $autoload .= "class_exists('$mutant->class', false) || require __DIR__ . '/mutant.php';\n";
        }
        file_put_contents($directory . '/vendor/autoload.php', $autoload . "\nreturn \$loader;\n");
        self::edit($code . '/larder.php', 'return ', "require_once __DIR__ . '/../vendor/autoload.php';\n\nreturn ");
        $configuration = $code . '/src/Configuration.php';
        $limits = 'limits: new \Larder\Page\Limits(leaseSeconds: ' . self::LEASE . '),';
        self::edit($configuration, "name: 'larder-app',", "\\0 $limits");
        self::edit($configuration, 'new Operations(', '\0code: [\dirname(__DIR__)],');
        self::edit($code . '/src/Http/Views.php', '$this->twig->render($template, $values)', '\0' . self::INCLUDE);
        $registry = '(require \dirname(__DIR__) . ' . var_export(self::REGISTRY, true) . ')';
        self::edit($code . '/src/Database.php', 'user: $this->user,', "registry: $registry, \\0");
        $site = new self($code, (string) file_get_contents($code . self::TEMPLATE));
        $site->release(0, false, false);

        return $site;
    }

    /**
     * Writes another release's code, as one who copies it over the old one file by file.
     *
     * @param bool $declares   whether its registry declares `news`; the example site's own declares nothing
     * @param bool $keepsTimes whether the new files have the old one's mtime, as `rsync --times` may give them
     */
    public function release(int $number, bool $declares, bool $keepsTimes): void
    {
        // Equally long for all releases: only the mtime may show the difference.
        $mark = \sprintf('<!-- [release:%06d] -->', $number);
        $template = str_replace(self::MAIN, self::MAIN . $mark, $this->template);
        $this->replace($this->directory . self::TEMPLATE, $template, $keepsTimes);
        $this->replace($this->directory . '/templates/release.php', "<?php\n\nreturn '$mark';\n", $keepsTimes);
        $class = var_export(self::class, true);
        $registry = \sprintf("<?php\n\nreturn $class::registry(%s);\n", $declares ? 'true' : 'false');
        $this->replace($this->directory . self::REGISTRY, $registry, $keepsTimes);
    }

    /** The registry of a release. A table that is declared without sets has none: its lists are of the whole table. */
    public static function registry(bool $declares): Registry
    {
        return $declares ? new Registry(new Table('news', 'id', ['id' => ColumnType::Integer])) : new Registry();
    }

    /** @return int|null the oldest release that the text says it is of; null: it says nothing */
    public static function shown(string $text): ?int
    {
        preg_match_all('/\[release:(\d+)\]/', $text, $found);

        return $found[1] === [] ? null : min(array_map(intval(...), $found[1]));
    }

    /** Whether pages at this URI say which release they are of. */
    public static function isShownAt(string $uri): bool
    {
        return preg_match('~^/(?:news|feed|category)(?:/|$)~D', $uri) === 1;
    }

    /** In one step: half a file would be a broken page and not an old one. */
    private function replace(string $file, string $text, bool $keepsTime): void
    {
        clearstatcache();
        if (is_file($file) && file_get_contents($file) === $text) {
            return;
        }
        $time = is_file($file) ? (int) filemtime($file) : time();
        file_put_contents($file . '.new', $text);
        if ($keepsTime) {
            touch($file . '.new', $time);
        }
        rename($file . '.new', $file);
    }

    /** @param string $new \0 stands for the old text */
    private static function edit(string $file, string $old, string $new): void
    {
        $text = (string) file_get_contents($file);
        $edited = str_replace($old, str_replace('\0', $old, $new), $text);
        if ($edited === $text) {
            throw new RuntimeException("$file has no \"$old\".");
        }
        file_put_contents($file, $edited);
    }
}
