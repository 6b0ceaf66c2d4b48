<?php

declare(strict_types=1);

namespace Larder\Code;

use Closure;

/** Loads the classes of a release by PSR-4. */
final readonly class ClassLoader
{
    /**
     * @param Closure(string): (string|null) $path     where a file of the release lies; null: it is not there
     * @param array<string, string>          $prefixes directory in the release by the prefix, such as
     *     `['Shop\\' => 'src']`
     */
    public function __construct(
        private Closure $path,
        private array $prefixes,
    ) {}

    /** For spl_autoload_register(). */
    public function load(string $class): void
    {
        foreach ($this->prefixes as $prefix => $directory) {
            if (str_starts_with($class, $prefix)) {
                $name = str_replace('\\', '/', substr($class, \strlen($prefix)));
                $path = ($this->path)(ltrim(rtrim($directory, '/') . '/' . $name . '.php', '/'));
                if ($path !== null) {
                    require_once $path;

                    return;
                }
            }
        }
    }
}
