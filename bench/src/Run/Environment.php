<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

/** What a figure depends on beside its subject. Taken before and after a run. */
final readonly class Environment
{
    /** php.ini values that change what is measured. */
    private const INI = [
        'memory_limit', 'opcache.enable', 'opcache.jit', 'igbinary.compact_strings', 'apc.shm_size', 'larder.size',
        'memcached.compression_type', 'memcache.hash_strategy', 'zend.assertions',
    ];

    private const EXTENSIONS = [
        'memcached', 'memcache', 'redis', 'apcu', 'larder', 'igbinary', 'msgpack', 'pdo_mysql', 'pdo_sqlite',
        'Zend OPcache', 'xdebug', 'pcov', 'blackfire', 'newrelic',
    ];

    /** Extensions beside which no figure means anything. */
    private const DISTURBING = ['xdebug', 'pcov', 'blackfire', 'newrelic'];

    /** @param list<int> $stat the CPU line of /proc/stat */
    private function __construct(
        private string $load,
        private array $stat,
    ) {}

    public static function now(): self
    {
        return new self(trim((string) @file_get_contents('/proc/loadavg')), self::stat());
    }

    /** @return list<string> of those that are loaded */
    public static function disturbing(): array
    {
        return array_values(array_filter(self::DISTURBING, extension_loaded(...)));
    }

    public static function cores(): int
    {
        return max(1, preg_match_all('/^processor\s/m', (string) @file_get_contents('/proc/cpuinfo')));
    }

    /** Share of all cores that others used in the given time. */
    public static function busyShare(float $seconds = 0.5): float
    {
        $before = self::stat();
        usleep((int) ($seconds * 1e6));
        $after = self::stat();
        $idle = ($after[3] ?? 0) + ($after[4] ?? 0) - ($before[3] ?? 0) - ($before[4] ?? 0);
        $all = array_sum(\array_slice($after, 0, 8)) - array_sum(\array_slice($before, 0, 8));

        return $all <= 0 ? 0.0 : max(0.0, 1.0 - $idle / $all);
    }

    /**
     * @param array<string, array{version: string, command: string}> $servers
     *
     * @return array<string, mixed>
     */
    public function with(self $after, array $servers): array
    {
        $cpu = (string) @file_get_contents('/proc/cpuinfo');
        $steal = ($after->stat[7] ?? 0) - ($this->stat[7] ?? 0);
        $all = max(1, array_sum(\array_slice($after->stat, 0, 8)) - array_sum(\array_slice($this->stat, 0, 8)));
        $governor = @file_get_contents('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor');

        return [
            'machine' => [
                'cpu' => self::field($cpu, 'model name'),
                'cores' => self::cores(),
                'cache' => self::field($cpu, 'cache size'),
                'flags' => array_values(
                    array_intersect(
                        ['aes', 'avx2', 'avx512f', 'sha_ni', 'hypervisor'],
                        explode(' ', self::field($cpu, 'flags')),
                    ),
                ),
                'governor' => $governor === false ? 'not shown' : trim($governor),
                'memory, MB' => (int) (
                    ((int) self::field((string) @file_get_contents('/proc/meminfo'), 'MemTotal'))
                        / 1024
                ),
                'virtual' => str_contains(self::field($cpu, 'flags'), 'hypervisor') ? 'yes' : 'no',
                'kernel' => php_uname('s') . ' ' . php_uname('r') . ' ' . php_uname('m'),
            ],
            'load' => [
                'average before' => $this->load,
                'average after' => $after->load,
                'stolen by the host, %' => round(100 * $steal / $all, 2),
                'came from' => 'the same host',
            ],
            'php' => [
                'version' => PHP_VERSION,
                'thread safe' => PHP_ZTS === 1 ? 'yes' : 'no',
                'debug' => PHP_DEBUG === 1 ? 'yes' : 'no',
            ],
            'extensions' => self::extensions(),
            'ini' => self::ini(),
            'servers' => $servers,
            'project' => self::commit(),
        ];
    }

    /** @return array<string, string> */
    private static function extensions(): array
    {
        $versions = [];
        foreach (array_filter(self::EXTENSIONS, extension_loaded(...)) as $name) {
            $versions[$name] = (string) phpversion($name);
        }

        return $versions;
    }

    /** @return array<string, string> */
    private static function ini(): array
    {
        $values = [];
        foreach (self::INI as $name) {
            $value = \ini_get($name);
            if ($value !== false) {
                $values[$name] = $value;
            }
        }

        return $values;
    }

    /** @return array<string, string> */
    private static function commit(): array
    {
        $root = escapeshellarg(\dirname(__DIR__, 3));
        $commit = trim((string) shell_exec("git -C {$root} rev-parse HEAD 2>/dev/null"));
        $changes = trim((string) shell_exec("git -C {$root} status --porcelain --untracked-files=no 2>/dev/null"));

        return $commit === '' ? [] : ['commit' => $commit, 'changed since' => $changes === '' ? 'no' : 'yes'];
    }

    private static function field(string $text, string $name): string
    {
        return preg_match('/^' . preg_quote($name, '/') . '\s*:\s*(.*)$/m', $text, $match) === 1
            ? trim($match[1])
            : 'not shown';
    }

    /** @return list<int> user, nice, system, idle, iowait, irq, softirq, steal, in ticks */
    private static function stat(): array
    {
        $line = (string) strtok((string) @file_get_contents('/proc/stat'), "\n");
        preg_match_all('/ (\d+)/', $line, $matches);

        return array_map(intval(...), $matches[1]);
    }
}
