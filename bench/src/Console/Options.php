<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Larder\Bench\Exception\UsageError;
use Symfony\Component\Console\Input\InputInterface;

/** Command line options, each as its type or an error that says what is allowed. */
final readonly class Options
{
    public function __construct(private InputInterface $input) {}

    public function text(string $name): ?string
    {
        $value = $this->input->getOption($name);

        return \is_string($value) ? $value : null;
    }

    public function flag(string $name): bool
    {
        return $this->input->getOption($name) === true;
    }

    /** @return list<string> */
    public function texts(string $name): array
    {
        $value = $this->input->getOption($name);

        return \is_array($value) ? array_values(array_filter($value, is_string(...))) : [];
    }

    /** @return list<string>|null */
    public function words(string $name): ?array
    {
        $text = $this->text($name);

        return $text === null || $text === 'all'
            ? null
            : array_values(array_filter(explode(':', $text), static fn(string $word): bool => $word !== ''));
    }

    public function number(string $name, float $least, float $most): ?float
    {
        $text = $this->text($name);

        return $text === null ? null : self::within($name, $text, $least, $most);
    }

    /** @return list<int>|null */
    public function numbers(string $name, int $least, int $most): ?array
    {
        $words = $this->words($name);

        return $words === null
            ? null
            : array_map(static fn(string $word): int => (int) self::within($name, $word, $least, $most), $words);
    }

    private static function within(string $name, string $text, float $least, float $most): float
    {
        if (!is_numeric($text) || (float) $text < $least || (float) $text > $most) {
            throw new UsageError(\sprintf('--%s must be %s to %s, not "%s".', $name, $least, $most, $text));
        }

        return (float) $text;
    }
}
