<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Server\PurgedVarnish;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Subject;
use Larder\Dependency\RecordingPdo;
use Larder\Edge\Edge;
use Larder\Edge\VarnishEdge;
use Larder\Page\Pages;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\TemporaryDirectory;
use Psr\Log\NullLogger;
use RuntimeException;

/** A site whose changes purge Varnish servers, or none, with the time that each purge takes. */
final class EdgeSite implements Subject, Edge
{
    /** @var list<float> microseconds of each purge that all servers confirmed */
    public array $purges = [];

    /** Whether a change has something to purge. */
    public bool $hasEdge = false;

    private ?RecordingPdo $database = null;
    private ?VarnishEdge $edge = null;
    private ?TemporaryDirectory $memory = null;

    public function connect(Context $context): void
    {
        $servers = array_map(static fn(Endpoint $server): string => $server->address(), $context->endpoints);
        $this->hasEdge = $servers !== [];
        $this->edge = $servers === [] ? null : new VarnishEdge($servers);
        $this->memory = new TemporaryDirectory('larder', is_writable('/dev/shm') ? '/dev/shm' : null);
        $path = $this->memory->path;
        $connect = static fn(): RecordingPdo => new RecordingPdo("sqlite:$path/site.sqlite", logger: new NullLogger());
        $site = PurgedVarnish::site($path, $this->edge === null ? null : $this, $connect);
        $database = $connect();
        $database->exec('PRAGMA journal_mode = WAL');
        $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
        $database->exec("INSERT INTO news VALUES (4, 'four')");
        Pages::of($site)->deploy('r1');
        // This one the site follows.
        $database = Pages::of($site)->connect();
        $this->database = $database instanceof RecordingPdo ? $database : null;
        // A new release purges all.
        $this->purges = [];
    }

    public function purge(array $keys): void
    {
        $begin = hrtime(true);
        $this->edge?->purge($keys);
        $this->purges[] = (hrtime(true) - $begin) / 1e3;
    }

    public function change(string $title): int
    {
        $database = $this->database ?? throw new RuntimeException('Nobody has called connect().');

        return (int) $database->exec("UPDATE news SET title = '$title' WHERE id = 4");
    }

    public function close(): void
    {
        $this->database = null;
        $this->memory?->remove();
    }
}
