<?php

declare(strict_types=1);

namespace Larder\Proof;

use Closure;
use Larder\Testbed\Server\DatabaseKind;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** An option of a program and the values that it may have. */
final readonly class Option
{
    /**
     * @param string $values as the usage line shows them; empty: a flag
     * @param int<0, 31> $mode
     * @param Closure(mixed): (int|string|bool|list<string>|null) $parse  null: the value is not allowed
     */
    private function __construct(
        public string $name,
        public string $description,
        private string $values,
        private int $mode,
        private string|bool|null $default,
        private Closure $parse,
    ) {}

    public static function number(string $name, string $description, int $least, int $most, int $default): self
    {
        $range = ['options' => ['min_range' => $least, 'max_range' => $most]];

        return new self(
            $name,
            "$description, $least to $most",
            "$least..$most",
            InputOption::VALUE_REQUIRED,
            (string) $default,
            static fn(mixed $given): ?int => \is_int($n = filter_var($given, FILTER_VALIDATE_INT, $range)) ? $n : null,
        );
    }

    public static function seconds(int $least = 1): self
    {
        return self::number('seconds', 'How long the run takes', $least, 86_400, 30);
    }

    public static function seed(): self
    {
        return new self(
            'seed',
            'The random choices of all processes follow from it',
            'N',
            InputOption::VALUE_REQUIRED,
            null,
            static fn(mixed $given): ?int => \is_int(
                $n = filter_var($given ?? random_int(1, 1_000_000), FILTER_VALIDATE_INT),
            )
                ? $n
                : null,
        );
    }

    public static function database(): self
    {
        $choices = DatabaseKind::names();

        return self::choice('database', 'Where the rows are', $choices, DatabaseKind::Sqlite->value);
    }

    public static function extension(): self
    {
        return new self(
            'extension',
            'larder.so; by default the one in build/extension',
            'FILE',
            InputOption::VALUE_REQUIRED,
            null,
            static fn(mixed $given): string => \is_string($given) ? $given : '',
        );
    }

    public static function flag(string $name, string $description): self
    {
        $parse = static fn(mixed $given): bool => $given === true;

        return new self($name, $description, '', InputOption::VALUE_NONE, null, $parse);
    }

    /** @param list<string> $choices the default is none of them */
    public static function choice(string $name, string $description, array $choices, string $default = ''): self
    {
        return new self(
            $name,
            $description,
            implode('|', $choices),
            InputOption::VALUE_REQUIRED,
            $default,
            static fn(mixed $given): ?string => \is_string($given) && \in_array($given, [...$choices, $default], true)
                ? $given
                : null,
        );
    }

    public static function guard(string $name, string $description, MissingGuard ...$guards): self
    {
        return self::choice($name, $description, array_column($guards, 'value'));
    }

    /** @param list<string> $choices of which some are given with colons in between; by default all are */
    public static function several(string $name, string $description, array $choices): self
    {
        return new self(
            $name,
            "$description, with colons in between",
            implode(':', $choices),
            InputOption::VALUE_REQUIRED,
            implode(':', $choices),
            static function (mixed $given) use ($choices): ?array {
                $words = array_values(array_unique(explode(':', \is_string($given) ? $given : '')));

                return array_diff($words, $choices) === [] ? $words : null;
            },
        );
    }

    /** @param list<string> $all what the option means without a value; the option has commas in between */
    public static function list(string $name, string $description, array $all): self
    {
        return new self(
            $name,
            $description,
            'A,B',
            InputOption::VALUE_OPTIONAL,
            false,
            static fn(mixed $given): array => match (true) {
                \is_string($given) => explode(',', $given),
                $given === null => $all,
                default => [],
            },
        );
    }

    public static function text(
        string $name,
        string $description,
        string $pattern,
        string $default,
        string $values,
    ): self {
        return new self(
            $name,
            $description,
            $values,
            InputOption::VALUE_REQUIRED,
            $default,
            static fn(mixed $given): ?string => \is_string($given) && preg_match($pattern, $given) === 1
                ? $given
                : null,
        );
    }

    /**
     * The values of options, by name.
     *
     * @param list<self> $options
     *
     * @return array<string, int|string|bool|list<string>>|null null: one is not allowed, so the usage was told
     */
    public static function values(
        array $options,
        string $program,
        InputInterface $input,
        OutputInterface $errors,
    ): ?array {
        $values = [];
        foreach ($options as $option) {
            $value = $option->parse($input->getOption($option->name));
            if ($value === null) {
                $usage = array_map(static fn(self $option): string => $option->usage(), $options);
                $errors->writeln("<error>Usage: $program " . implode(' ', $usage) . '</error>');

                return null;
            }
            $values[$option->name] = $value;
        }

        return $values;
    }

    public function definition(): InputOption
    {
        return new InputOption($this->name, null, $this->mode, $this->description, $this->default);
    }

    private function usage(): string
    {
        return $this->values === '' ? "[--$this->name]" : "[--$this->name=$this->values]";
    }

    /** @return int|string|bool|list<string>|null null: the value is not allowed */
    private function parse(mixed $given): int|string|bool|array|null
    {
        return ($this->parse)($given);
    }
}
