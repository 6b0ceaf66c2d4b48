<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/**
 * Shows commands and replies in texts that are equal for equal states: a CAS number by who got it and how many he had
 * before, where no server begins anew and so no number comes twice.
 */
final class ServerNames
{
    /** @var array<int, string> by CAS number */
    private array $names = [];

    /** @var array<string, int> by process */
    private array $given = [];

    public function __construct(private readonly bool $areNumbers) {}

    public function done(ModelServer $server, string $command, string $process): string
    {
        $before = $server->last;
        $reply = $server->does($command);
        if ($server->last > $before) {
            $this->given[$process] = ($this->given[$process] ?? 0) + 1;
            $this->names[$server->last] = $process . '~c' . $this->given[$process];
        }

        return $reply;
    }

    public function cas(int $number): string
    {
        return $this->areNumbers ? (string) $number : $this->names[$number] ?? (string) $number;
    }

    public function shown(string $bytes): string
    {
        [$line, $value] = explode("\r\n", $bytes, 2) + [1 => ''];
        $line = (string) preg_replace_callback(
            '/ ([cC])(\d+)\b/',
            fn(array $found): string => ' ' . $found[1] . $this->cas((int) $found[2]),
            $line,
        );
        $value = str_contains($value, "\r\n\r\n") ? hash('xxh32', $value) : $value;

        return trim($line . ' ' . rtrim($value));
    }
}
