<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

use Larder\Dependency\Registry;
use Larder\Dependency\Table;
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

    private const TEMPLATE = '/templates/category.html.twig';
    private const MAIN = '{% block main %}';

    /** Sets that the registry of every second kind of release declares of `news`. */
    private const SETS = "[['category']]";

    private function __construct(
        public string $directory,
        private string $schema,
        private string $template,
    ) {}

    /**
     * @param string $root      the example site
     * @param string $directory for the copy and the autoloader beside it; exists
     */
    public static function copy(string $root, string $directory): self
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
        file_put_contents($directory . '/vendor/autoload.php', \sprintf(
            "<?php\n\$loader = require %s;\n\$loader->setPsr4('App\\\\', [%s]);\n\nreturn \$loader;\n",
            var_export(\dirname($root) . '/vendor/autoload.php', true),
            var_export($code . '/src', true),
        ));
        self::edit($code . '/larder.php', 'return ', "require_once __DIR__ . '/../vendor/autoload.php';\n\nreturn ");
        self::edit($code . '/src/Configuration.php', "name: 'larder-app',", "\\0 code: [\\dirname(__DIR__)],");
        self::edit($code . '/src/Http/Views.php', '$this->twig->render($template, $values)', '\0' . self::INCLUDE);
        self::edit(
            $code . '/src/Repository/CachedItems.php',
            "\$this->names->set('news', ['category' => \$category])",
            "\$this->names->get('news')->sets === [] ? \$this->names->table('news') : \\0",
        );
        $site = new self(
            $code,
            (string) file_get_contents($code . '/src/Schema.php'),
            (string) file_get_contents($code . self::TEMPLATE),
        );
        $site->release(0, false, false);

        return $site;
    }

    /**
     * Writes another release's code, as one who copies it over the old one file by file.
     *
     * @param bool $withoutSets whether its registry declares no sets of `news`
     * @param bool $keepsTimes  whether the new files have the old one's mtime, as `rsync --times` may give them
     */
    public function release(int $number, bool $withoutSets, bool $keepsTimes): void
    {
        // Equally long for all releases: only the mtime may show the difference.
        $mark = \sprintf('<!-- [release:%06d] -->', $number);
        $template = str_replace(self::MAIN, self::MAIN . $mark, $this->template);
        $this->replace($this->directory . self::TEMPLATE, $template, $keepsTimes);
        $this->replace($this->directory . '/templates/release.php', "<?php\n\nreturn '$mark';\n", $keepsTimes);
        $schema = $withoutSets ? str_replace(self::SETS, '[]', $this->schema) : $this->schema;
        if ($withoutSets && $schema === $this->schema) {
            throw new RuntimeException('src/Schema.php declares no ' . self::SETS . '.');
        }
        $this->replace($this->directory . '/src/Schema.php', $schema, $keepsTimes);
    }

    /** The registry of a release, for a writer in this process. */
    public static function registry(Registry $whole, bool $withoutSets): Registry
    {
        return new Registry(...array_map(
            static fn(Table $table): Table => $withoutSets && $table->name === 'news'
                ? new Table($table->name, $table->key, $table->columns)
                : $table,
            $whole->declared(),
        ));
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
