<?php

declare(strict_types=1);

namespace Larder\Proof\Mutation;

use Composer\Autoload\ClassLoader;
use LogicException;
use ReflectionClass;

/**
 * A real class without one guard, made by replacing text in its source.
 *
 * Each text must occur exactly once, so that a mutant of code that has changed fails loudly instead of testing nothing.
 */
final readonly class Mutant
{
    /**
     * @param class-string          $class
     * @param array<string, string> $replacements text of the source to text of the mutant
     */
    public function __construct(
        public string $class,
        private array $replacements,
    ) {}

    /** Loads the mutated class in place of the real one, in a process that has not loaded that. */
    public function loadInstead(): void
    {
        if (class_exists($this->class, false)) {
            throw new LogicException($this->class . ' is loaded already.');
        }
        foreach (ClassLoader::getRegisteredLoaders() as $loader) {
            $file = $loader->findFile($this->class);
            if (\is_string($file)) {
                eval(substr($this->mutated($file), \strlen('<?php')));

                return;
            }
        }

        throw new LogicException($this->class . ' is in no file.');
    }

    /** @return string name of the mutated class, which implements what the real one does */
    public function load(): string
    {
        $reflection = new ReflectionClass($this->class);
        $source = $this->mutated((string) $reflection->getFileName());
        $name = $reflection->getShortName() . 'Without' . substr(sha1($source), 0, 12);
        $class = '/\bclass ' . $reflection->getShortName() . '(?=\s)/';
        $source = (string) preg_replace($class, 'class ' . $name, $source, -1, $found);
        if ($found !== 1) {
            throw new LogicException($this->class . ' is declared in another way.');
        }
        $loaded = $reflection->getNamespaceName() . '\\' . $name;
        if (!class_exists($loaded, false)) {
            eval(substr($source, \strlen('<?php')));
        }

        return $loaded;
    }

    private function mutated(string $file): string
    {
        $source = (string) file_get_contents($file);
        foreach ($this->replacements as $text => $replacement) {
            $source = $this->replaced($source, $text, $replacement);
        }

        return $source;
    }

    private function replaced(string $source, string $text, string $replacement): string
    {
        $found = substr_count($source, $text);
        if ($found !== 1) {
            throw new LogicException(
                \sprintf(
                    '%s contains this %d times, not once; its double must follow the code: %s',
                    $this->class,
                    $found,
                    $text,
                ),
            );
        }

        return str_replace($text, $replacement, $source);
    }
}
