<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Code\MemcachedPool;
use Larder\Code\Publisher;
use Larder\Code\Puller;
use Larder\Code\Releases;
use Larder\Code\SecretKey;
use Larder\Testbed\Server\Cpu;
use Memcached;

/**
 * Loads all classes of a program, each time in a process that has none of them. Only the loading is timed, not the
 * start of PHP; that all classes are there, and are the right ones, is checked after it.
 *
 * Parameter: `process` (fresh: PHP without OPcache; opcache: php-fpm, whose OPcache has seen them; slow: fresh, and
 * opening a file of the directory takes a millisecond more).
 */
final readonly class LoadingFiles implements Workload
{
    public function __construct(private int $files = ClassFiles::COUNT) {}

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(Form::class) ? null : 'is no way to load code';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        $files = $this->files($job);
        $form = self::form($subject);
        is_dir(self::directory($job)) || mkdir(self::directory($job), 0o755, true);
        $files->make();
        if ($form->way === Way::Pool) {
            $memcached = self::memcached($job);
            foreach ($files->sources() as $name => $source) {
                $memcached->set($job->prefix . $name, $source)
                    || throw new Failed("memcached did not take $name: " . $memcached->getResultMessage());
            }
        } elseif ($form->way === Way::Release && !is_file(self::root($job) . '.pub')) {
            $key = SecretKey::make();
            $root = self::root($job);
            $pool = new MemcachedPool(self::endpoint($job)->address());
            (new Publisher($pool, $key, 'bench'))->push($files->directory);
            $releases = new Releases($root);
            $releases->switchTo((new Puller($pool, $key->public(), 'bench', $releases))->pull()->release);
            file_put_contents($root . '.pub', $key->public()->text());
        } elseif ($form->way === Way::Preloaded) {
            file_put_contents(
                self::directory($job) . '/preload.php',
                "<?php\nforeach (" . var_export($files->names(), true) . " as \$file) {\n"
                    . "    require_once __DIR__ . '/files/' . \$file;\n}\n",
            );
        }
        file_put_contents(self::directory($job) . '/order.json', json_encode([
            'files' => $files->names(),
            'classes' => $form->way === Way::None ? [] : $files->classes(),
        ], JSON_THROW_ON_ERROR));
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $form = self::form($subject);
        $ask = $this->ask($job, $form);
        $process = Process::of($job->string('process', 'fresh'), self::directory($job), $job->directory);
        try {
            $process->begin($form, $ask);

            return $this->loads($job, $form, static fn(): Load => $process->load($ask));
        } finally {
            $process->end();
        }
    }

    /** @param \Closure(): Load $load */
    private function loads(Job $job, Form $form, \Closure $load): Measured
    {
        $latency = new Histogram();
        $seal = $form->way === Way::None ? hash('xxh3', '') : $this->files($job)->seal();
        $servers = $form->way === Way::Pool ? self::endpoint($job)->pids : [];
        $serverCpu = Cpu::of($servers);
        $begin = hrtime(true);
        $cpu = 0.0;
        $loads = $nanoseconds = $trips = 0;
        do {
            $done = $load();
            if ($done->seal !== $seal) {
                throw new WrongReply('not all classes are there, or not the right ones');
            }
            $latency->record(intdiv($done->nanoseconds, $this->files));
            $nanoseconds += $done->nanoseconds;
            $cpu += $done->cpu;
            $trips = $done->trips;
            ++$loads;
        } while (hrtime(true) - $begin < $job->seconds * 1e9);
        $operations = $loads * $this->files;

        return new Measured(
            new Window(
                $job->block,
                0,
                $nanoseconds / 1e9,
                $operations,
                0,
                0,
                $cpu,
                Cpu::of($servers) - $serverCpu,
                [$operations],
            ),
            $latency,
            extra: [
                'ms for all files' => $nanoseconds / 1e6 / $loads,
                'round trips' => (float) $trips,
                ...($form->way === Way::Pool || $form->way === Way::Include
                    ? ['files per round trip' => (float) $form->batch]
                    : []),
            ],
            coverage: $job->checked ? Coverage::every($operations) : Coverage::none($operations),
            latencyOf: (float) $this->files,
        );
    }

    /** @return array<string, string> what libexec/load-code.php takes */
    private function ask(Job $job, Form $form): array
    {
        $ask = [
            'way' => $form->way->value,
            'order' => self::directory($job) . '/order.json',
            'directory' => $this->files($job)->directory,
            'batch' => (string) $form->batch,
            'prefix' => $job->prefix,
        ];
        if ($form->way === Way::Pool || $form->way === Way::Release) {
            $endpoint = self::endpoint($job);
            $ask += ['host' => $endpoint->host, 'port' => (string) $endpoint->port];
        }
        if ($form->way === Way::Release) {
            $loader = (new \ReflectionClass(\Composer\Autoload\ClassLoader::class))->getFileName();
            $ask += ['root' => self::root($job), 'autoload' => \dirname((string) $loader, 2) . '/autoload.php'];
        }

        return $ask;
    }

    private function files(Job $job): ClassFiles
    {
        return new ClassFiles(self::directory($job) . '/files', $this->files);
    }

    /** Of one form, so that no other is warm because of it. */
    private static function directory(Job $job): string
    {
        return $job->directory . '/' . $job->subject;
    }

    private static function root(Job $job): string
    {
        return self::directory($job) . '/host';
    }

    private static function form(Definition $subject): Form
    {
        $form = ($subject->make)();
        \assert($form instanceof Form);

        return $form;
    }

    private static function endpoint(Job $job): \Larder\Testbed\Server\Endpoint
    {
        return $job->context()->serverOfWorker();
    }

    private static function memcached(Job $job): Memcached
    {
        $endpoint = self::endpoint($job);
        $memcached = new Memcached();
        $memcached->setOption(Memcached::OPT_BINARY_PROTOCOL, true);
        $memcached->addServer($endpoint->host, $endpoint->port);

        return $memcached;
    }
}
