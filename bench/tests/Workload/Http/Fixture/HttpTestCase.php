<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http\Fixture;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Pages\SitePage;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\TestCase;

/** A directory for the run, and jobs in it. */
abstract class HttpTestCase extends TestCase
{
    protected string $directory;
    private TemporaryDirectory $temporary;

    protected function setUp(): void
    {
        $this->temporary = new TemporaryDirectory('bench-http');
        $this->directory = $this->temporary->path;
    }

    protected function tearDown(): void
    {
        $this->temporary->remove();
    }

    /**
     * @param list<Endpoint>                       $endpoints
     * @param array<string, bool|float|int|string> $parameters
     */
    protected function job(
        array $endpoints,
        array $parameters = [],
        string $subject = 'page-static',
        float $seconds = 0.25,
    ): Job {
        return new Job('http', $subject, $parameters, $seconds, 3, 1, $endpoints, $this->directory, 'bench:', 0.2);
    }

    protected static function page(string $id = 'page-static'): Definition
    {
        foreach (SitePage::subjects() as $row) {
            if ($row->id === $id) {
                return $row;
            }
        }
        self::fail($id . ' is not there');
    }
}
