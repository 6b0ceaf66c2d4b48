<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Metrics\SharedFile;

/**
 * The slowest renders of a day on this host, at most one of each page, in a small file.
 *
 * @internal
 *
 * @phpstan-type Render array{page: string, route: string, seconds: float, at: int}
 */
final readonly class SlowRenders
{
    private const MOST = 50;
    private const DAY = 86400;

    private SharedFile $file;

    public function __construct(string $path)
    {
        $this->file = new SharedFile($path);
    }

    /** @param int $now Unix time */
    public function note(string $page, string $route, float $seconds, int $now): void
    {
        // Most renders are not among them: these only read.
        if (!self::isAmong($this->slowest($now), $page, $seconds)) {
            return;
        }
        $this->file->change(static function (string $old) use ($page, $route, $seconds, $now): ?string {
            $renders = array_column(self::decode($old, $now), null, 'page');
            if (!self::isAmong(array_values($renders), $page, $seconds)) {
                return null;
            }
            $renders[$page] = ['page' => $page, 'route' => $route, 'seconds' => $seconds, 'at' => $now];
            usort($renders, static fn(array $one, array $other): int => $other['seconds'] <=> $one['seconds']);

            return json_encode(
                \array_slice($renders, 0, self::MOST),
                JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE,
            );
        });
    }

    /**
     * @param int $now Unix time
     *
     * @return list<Render> slowest first
     */
    public function slowest(int $now): array
    {
        return self::decode($this->file->read(), $now);
    }

    /** @param list<Render> $renders */
    private static function isAmong(array $renders, string $page, float $seconds): bool
    {
        $times = array_column($renders, 'seconds', 'page');

        return isset($times[$page])
            ? $seconds > $times[$page]
            : \count($times) < self::MOST || $seconds > min($times);
    }

    /** @return list<Render> of the day before $now */
    private static function decode(string $json, int $now): array
    {
        $found = [];
        $renders = json_decode($json, true);
        foreach (\is_array($renders) ? $renders : [] as $render) {
            $render = \is_array($render) ? $render : [];
            ['page' => $page, 'route' => $route, 'seconds' => $seconds, 'at' => $at] = $render
                + ['page' => null, 'route' => null, 'seconds' => null, 'at' => null];
            if (\is_string($page) && \is_string($route) && is_numeric($seconds) && \is_int($at)
                && $at > $now - self::DAY) {
                $found[] = ['page' => $page, 'route' => $route, 'seconds' => (float) $seconds, 'at' => $at];
            }
        }

        return $found;
    }
}
