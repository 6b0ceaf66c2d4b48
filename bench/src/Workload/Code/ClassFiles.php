<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Files with a class each, of 1 to 20 KB, as applications have them. Nine of ten classes extend that of the file
 * before, so the order matters. Each has a number of its own, by which it is seen that all are there.
 */
final readonly class ClassFiles
{
    /** The source's number of files. */
    public const COUNT = 500;
    private const NAMESPACE = 'Larder\Bench\Loaded';
    private const FAMILY = 10;

    /** Seconds since 1970: OPcache does not keep files that are younger than two seconds. */
    private const MTIME = 1_700_000_000;

    /**
     * @param int $smallest bytes of a file, about
     * @param int $largest  the same
     */
    public function __construct(
        public string $directory,
        private int $count = self::COUNT,
        private int $smallest = 1_000,
        private int $largest = 20_000,
    ) {}

    /** Makes them if they are not there. They are the same each time. */
    public function make(): void
    {
        if (is_dir($this->directory)) {
            return;
        }
        $draft = $this->directory . '.' . getmypid();
        mkdir($draft);
        foreach ($this->sources() as $name => $source) {
            file_put_contents("$draft/$name", $source);
            touch("$draft/$name", self::MTIME);
        }
        rename($draft, $this->directory);
    }

    /** @return array<string, string> text by the name of the file */
    public function sources(): array
    {
        $random = new Randomizer(new Xoshiro256StarStar(4));
        $sources = [];
        for ($number = 0; $number < $this->count; ++$number) {
            $sources[$this->name($number)] = $this->source($number, $random);
        }

        return $sources;
    }

    /** @return list<string> in the order in which they are to be loaded */
    public function names(): array
    {
        return array_map($this->name(...), range(0, $this->count - 1));
    }

    /** @return list<class-string> */
    public function classes(): array
    {
        $classes = [];
        for ($number = 0; $number < $this->count; ++$number) {
            /** @var class-string $class which libexec/load-code.php declares, in another process */
            $class = self::NAMESPACE . '\File' . $number;
            $classes[] = $class;
        }

        return $classes;
    }

    /** What Class::NUMBER of all classes, one after the other, has as its hash. */
    public function seal(): string
    {
        return hash('xxh3', implode(' ', array_map(self::number(...), range(0, $this->count - 1))));
    }

    private function name(int $number): string
    {
        return "File$number.php";
    }

    private static function number(int $number): int
    {
        return crc32("class $number");
    }

    private function source(int $number, Randomizer $random): string
    {
        $above = $number % self::FAMILY === 0 ? '' : ' extends File' . ($number - 1);
        $source = "<?php\n\ndeclare(strict_types=1);\n\nnamespace " . self::NAMESPACE . ";\n\n"
            . "class File$number$above\n{\n    public const NUMBER = " . self::number($number) . ";\n";
        // As many small ones as large ones, by the logarithm.
        $size = $this->smallest * ($this->largest / $this->smallest) ** ($random->getInt(0, 1000) / 1000);
        for ($method = 0; \strlen($source) < $size - 200; ++$method) {
            $word = bin2hex($random->getBytes(12));
            $source .= "\n    public function do{$number}_$method(int \$a, string \$b = '$word'): string\n    {\n"
                . "        return \$a > $method ? \$b . strrev(\$b) : static::class . '$word';\n    }\n";
        }

        return $source . "}\n";
    }
}
