<?php

declare(strict_types=1);

namespace Larder\Console\Root;

/**
 * The process of root that has started this one, which works as another user. It does the few things that only root
 * may, by its own arguments.
 *
 * @internal
 */
final readonly class RootsProcess
{
    /** The environment's name for what it has told. */
    public const NAME = 'LARDER_PARENT';

    /** @param array<array-key, mixed> $told */
    private function __construct(private int $pid, private array $told) {}

    /** @return self|null null: no process of root has started this one */
    public static function here(): ?self
    {
        $told = json_decode((string) getenv(self::NAME), true);
        $pid = \is_array($told) ? $told['pid'] ?? null : null;

        return \is_array($told) && \is_int($pid) ? new self($pid, $told) : null;
    }

    /** Whether it has ended, so that nobody hears this one any more. */
    public static function isGone(): bool
    {
        $parent = self::here();

        return $parent !== null && posix_getppid() !== $parent->pid;
    }

    public function told(string $name): mixed
    {
        return $this->told[$name] ?? null;
    }

    /** @return mixed what became of it; null: nothing */
    public function ask(string $wanted, string $bytes = ''): mixed
    {
        $out = @fopen('php://fd/' . OtherProcess::ASKS, 'w');
        $in = @fopen('php://fd/' . OtherProcess::HEARS, 'r');
        if ($out === false || $in === false) {
            return null;
        }
        $question = json_encode(['wanted' => $wanted, 'bytes' => \strlen($bytes)], JSON_THROW_ON_ERROR) . "\n" . $bytes;
        for ($sent = 0; $sent < \strlen($question); $sent += $more) {
            $more = (int) @fwrite($out, substr($question, $sent));
            if ($more === 0) {
                return null;
            }
        }

        return json_decode((string) fgets($in), true);
    }
}
