<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

use Composer\Autoload\ClassLoader;
use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Code\MemcachedPool;
use Larder\Code\PublicKey;
use Larder\Code\Publisher;
use Larder\Code\SecretKey;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Cpu;
use ReflectionClass;

/**
 * The first request of a fresh php-fpm that uses all classes of a program, the pull of a release of it, and as the
 * floor of that as many files of that size that plain PHP makes. A window has one of these, however long it takes. The
 * CPU time of a pull is that of its process, without memcached's. Parameter: `classes` (2,000, of 3.4 KB each).
 */
final readonly class FirstRequests implements Workload
{
    private const NAME = 'first';
    private const BYTES = 3_400;

    /** @param int $classes unless the parameter says otherwise */
    public function __construct(private int $classes = 2000) {}

    public function refuses(Definition $subject): ?string
    {
        return str_starts_with($subject->id, 'release-') ? null : 'is no way to a release';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        $root = self::root($job);
        if (is_dir($root)) {
            return;
        }
        mkdir($root);
        $files = $this->files($job);
        $files->make();
        file_put_contents("$files->directory/all.php", "<?php\nforeach (" . var_export($files->names(), true)
            . " as \$file) {\n    require __DIR__ . '/' . \$file;\n}\n");
        touch("$files->directory/all.php", 1_700_000_000);
        file_put_contents("$root/order.json", json_encode([
            'files' => ['all.php'],
            'classes' => $files->classes(),
        ], JSON_THROW_ON_ERROR));
        $key = SecretKey::make();
        (new Publisher(new MemcachedPool(self::address($job)), $key, self::NAME))->push($files->directory, 'r1');
        file_put_contents("$root/key.pub", $key->public()->text());
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $way = substr($subject->id, \strlen('release-'));
        $host = new Host(
            self::root($job) . '/h' . bin2hex(random_bytes(4)),
            self::address($job),
            PublicKey::read(self::root($job) . '/key.pub'),
            self::NAME,
        );
        try {
            [$nanoseconds, $cpu, $extra] = match ($way) {
                'files', 'pull' => $this->made($job, $host, $way),
                default => $this->request($job, $host, $way),
            };
        } finally {
            $host->stop();
        }
        $latency = new Histogram();
        $latency->record($nanoseconds);

        return new Measured(
            new Window($job->block, 0, $nanoseconds / 1e9, 1, 0, 0, $cpu, 0.0, [1]),
            $latency,
            extra: ['ms' => $nanoseconds / 1e6, ...$extra],
            coverage: $job->checked ? Coverage::every(1) : Coverage::none(1),
        );
    }

    /** @return array{int, float, array<string, float>} nanoseconds, microseconds of CPU, and more */
    private function made(Job $job, Host $host, string $way): array
    {
        $files = $this->files($job);
        $names = [...$files->names(), 'all.php'];
        $text = str_repeat('x', (int) filesize("$files->directory/{$names[0]}"));
        $directory = $host->releases->directory . '-files';
        $cpu = Cpu::own();
        $begin = hrtime(true);
        $trips = null;
        if ($way === 'pull') {
            $pulled = $host->pull();
            $trips = $pulled->trips;
            $directory = $host->releases->path($pulled->release);
        } else {
            mkdir($directory);
            foreach ($names as $name) {
                file_put_contents("$directory/$name", $text);
                touch("$directory/$name", 1_700_000_000);
            }
        }
        $took = hrtime(true) - $begin;
        $cpu = Cpu::own() - $cpu;
        foreach ($job->checked ? $names : [] as $name) {
            if (@hash_file('xxh3', "$directory/$name") !== hash_file('xxh3', "$files->directory/$name")) {
                throw new WrongReply("$name is not the file that was published");
            }
        }

        return [$took, $cpu, $trips === null ? [] : ['round trips' => (float) $trips]];
    }

    /** @return array{int, float, array<string, float>} */
    private function request(Job $job, Host $host, string $way): array
    {
        $php = $host->start(1);
        if ($way === 'warm' || $way === 'loader') {
            $host->pull();
            $host->releases->switchTo('r1');
            $host->warm('r1');
        }
        $root = self::root($job);
        symlink("$root/key.pub", $host->releases->directory . '.pub');
        $composer = (string) (new ReflectionClass(ClassLoader::class))->getFileName();
        $query = http_build_query([
            'way' => $way === 'pool' || $way === 'loader' ? 'release' : 'include',
            'order' => "$root/order.json",
            'directory' => $way === 'warm' ? $host->releases->path('r1') : $this->files($job)->directory,
            'host' => $job->context()->serverOfWorker()->host,
            'port' => (string) $job->context()->serverOfWorker()->port,
            'root' => $host->releases->directory,
            'name' => self::NAME,
            'autoload' => \dirname($composer, 2) . '/autoload.php',
        ]);
        $script = (string) realpath(__DIR__ . '/../../../libexec/load-code.php');
        $ask = static fn(): Load => Load::read(
            (new FastCgi($php->socket, $script, 60))->get($query) ?? (string) @file_get_contents($php->log()),
        );
        if ($way === 'next') {
            $ask();
        }
        $load = $ask();
        if ($load->seal !== $this->files($job)->seal()) {
            throw new WrongReply('not all classes are there, or not the right ones');
        }

        return [$load->nanoseconds, $load->cpu, ['round trips' => (float) $load->trips]];
    }

    private function files(Job $job): ClassFiles
    {
        return new ClassFiles(
            self::root($job) . '/source',
            $job->int('classes', $this->classes),
            self::BYTES,
            self::BYTES,
        );
    }

    /** Nothing of it is removed before the run ends: ext4 is slow to make a file where many were removed. */
    private static function root(Job $job): string
    {
        return "$job->directory/releases-" . $job->int('classes', 0);
    }

    private static function address(Job $job): string
    {
        return $job->context()->serverOfWorker()->address();
    }
}
