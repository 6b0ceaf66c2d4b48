<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http\Fixture;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Pages\PageSubjects;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Server\Endpoint;
use PHPUnit\Framework\TestCase;

/** A directory for the run, and jobs in it. */
abstract class HttpTestCase extends TestCase
{
    protected string $directory;

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/bench-http-' . bin2hex(random_bytes(4));
        mkdir($this->directory);
    }

    protected function tearDown(): void
    {
        self::remove($this->directory);
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
        foreach (PageSubjects::rows() as $row) {
            if ($row->id === $id) {
                return $row;
            }
        }
        self::fail($id . ' is not there');
    }

    private static function remove(string $path): void
    {
        if (!is_dir($path) || is_link($path)) {
            unlink($path);

            return;
        }
        foreach (array_diff((array) scandir($path), ['.', '..']) as $entry) {
            self::remove($path . '/' . $entry);
        }
        rmdir($path);
    }
}
