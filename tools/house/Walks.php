<?php

declare(strict_types=1);

namespace Larder\Tools\House;

use RuntimeException;

/**
 * Runs each walk in a process, and collects what was counted there.
 *
 * @phpstan-type Counted array{calls: int, files: list<string>, classes: int}
 */
final readonly class Walks
{
    /** @param string|null $extension larder.so; null: there is none */
    public function __construct(private CountingCopy $copy, private ?string $extension) {}

    /**
     * @return array<string, Counted> by walk; files and classes are those of the process so far
     *
     * @throws RuntimeException if a walk did not do what it is for
     */
    public function all(): array
    {
        $this->php($this->copy->example . '/schema.php');
        $this->walk('deploy');

        return [
            ...($this->extension === null ? [] : $this->walk('remember')),
            ...$this->walk('past'),
            ...$this->walk('miss', '/news/4'),
            ...$this->walk('update'),
            ...$this->walk('select'),
        ];
    }

    /** @return array<string, Counted> */
    private function walk(string $name, string ...$arguments): array
    {
        $out = $this->copy->directory . '/counted.json';
        $this->php(__DIR__ . '/walk.php', $name, $this->copy->example, $out, ...$arguments);
        /** @var array<string, Counted> $counted */
        $counted = json_decode((string) file_get_contents($out), true, flags: JSON_THROW_ON_ERROR);
        foreach ($counted as $walk => ['files' => $files]) {
            $counted[$walk]['files'] = array_map(
                fn(string $file): string => substr($file, \strlen($this->copy->directory) + 1),
                $files,
            );
        }

        return $counted;
    }

    private function php(string ...$arguments): void
    {
        $command = [
            PHP_BINARY, '-d', 'error_log=', '-d', 'opcache.enable_cli=0',
            ...($this->extension === null ? [] : [
                '-d', "extension=$this->extension", '-d', 'larder.directory=' . $this->copy->directory . '/memory',
            ]),
            ...array_values($arguments),
        ];
        $log = $this->copy->directory . '/log';
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', $log, 'w'], ['file', $log, 'a']], $pipes);
        $status = $process === false ? -1 : proc_close($process);
        if ($status !== 0) {
            throw new RuntimeException(implode(' ', $command) . " ended with $status:\n" . file_get_contents($log));
        }
    }
}
