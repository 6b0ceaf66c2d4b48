<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Published;
use Larder\Bench\Server\Kind;
use Memcached;

/**
 * B4 as its source ran it: 500 files of eight bytes, by include, and by eval of what memcached gives, one by one and in
 * batches; twice, of which the second run is read.
 *
 * What was got once stays in an array of the process, as in the source. So the batches ask no server: the calls are
 * counted, and told in the remark.
 */
final class LoadedFiles implements PublishedRun
{
    private const SOURCE = '<?php ?>';
    private const BATCHES = [10, 250, 500];

    private Memcached $memcached;

    /** @var array<string, string> the source's local layer */
    private array $kept = [];

    private int $calls = 0;

    public function __construct(private readonly int $files = 500) {}

    public function name(): string
    {
        return 'loaded-files';
    }

    public function run(Closure $endpoints, string $directory, Closure $progress): Published
    {
        if (!\extension_loaded('memcached')) {
            return $this->published("PHP has no extension memcached\n", []);
        }
        $progress($this->name());
        [$server] = $endpoints(Kind::Memcached->value, 1) + [null];
        $server ?? throw Failed::connecting('memcached', 'none is there');
        $this->memcached = new Memcached();
        $this->memcached->addServer($server->host, $server->port);
        $own = $directory . '/published-code';
        is_dir($own) || mkdir($own);
        for ($file = 1; $file <= $this->files; ++$file) {
            file_put_contents("$own/$file.php", self::SOURCE);
        }
        $this->pass($own);
        [$text, $calls] = $this->pass($own);

        return $this->published($text, $calls);
    }

    /** @return array{string, list<int>} the lines, and the calls of the client in each of the tests that have it */
    private function pass(string $directory): array
    {
        $paths = array_map(static fn(int $file): string => "$directory/$file.php", range(1, $this->files));
        $this->kept = [];
        $begin = hrtime(true);
        foreach ($paths as $path) {
            include $path;
        }
        $text = $this->line('regular include() in', $begin);
        $calls = [];
        foreach ([1, ...self::BATCHES] as $batch) {
            $this->calls = 0;
            $begin = hrtime(true);
            foreach (array_chunk($paths, $batch) as $chunk) {
                foreach ($this->texts($chunk) as $source) {
                    eval('?>' . $source);
                }
            }
            $text .= $this->line($batch === 1 ? 'MemFS in' : "MemFS ($batch files at the time)", $begin);
            $calls[] = $this->calls;
        }

        return [$text, $calls];
    }

    /**
     * @param non-empty-list<string> $paths
     *
     * @return array<string, string>
     */
    private function texts(array $paths): array
    {
        $missing = array_values(array_filter($paths, fn(string $path): bool => !isset($this->kept[$path])));
        if ($missing !== []) {
            ++$this->calls;
            $keys = array_combine(array_map(self::key(...), $missing), $missing);
            $got = \count($missing) === 1
                ? [self::key($missing[0]) => $this->memcached->get(self::key($missing[0]))]
                : $this->memcached->getMulti(array_keys($keys));
            foreach ($keys as $key => $path) {
                $source = \is_array($got) ? $got[$key] ?? false : false;
                if ($source === false) {
                    // The first of the two runs: read, and put into the pool.
                    $source = (string) file_get_contents($path);
                    $this->memcached->set($key, $source) || throw Failed::connecting('memcached', 'it took no file');
                }
                $this->kept[$path] = $source === self::SOURCE ? $source : throw new WrongReply("$path came changed");
            }
        }

        return array_intersect_key($this->kept, array_flip($paths));
    }

    private static function key(string $path): string
    {
        return 'b4:' . md5($path);
    }

    private function line(string $how, int $begin): string
    {
        return \sprintf("Loaded %d files using %s %.14G\n", $this->files, $how, (hrtime(true) - $begin) / 1e9);
    }

    /** @param list<int> $calls */
    private function published(string $text, array $calls): Published
    {
        return new Published(
            $this->name(),
            "B4: $this->files files by include and out of memcached, the second of two runs",
            $text,
            'Seconds. The files have eight bytes and no code, PHP has no OPcache, and what was got once stays in the '
                . 'process'
            . ($calls === [] ? '' : ': the client was called ' . implode(', ', $calls) . ' times in the four tests')
            . '. So the batches measure an array. The chart "B4 500 files of code" of the test code_files has classes '
            . 'of 1 to 20 KB, a fresh process for each load, nothing kept in it, and OPcache too.',
        );
    }
}
