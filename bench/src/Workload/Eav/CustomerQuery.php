<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Check\Verifier;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Queries the default addresses of customers, with or without their zip codes, and compares every row of every answer
 * with the customers that the shop was filled with.
 *
 * Parameters: `customers` (10,000), `page` (customers per query; 0: all, as the source does), `ids` (source or other:
 * the numbers of the installation's attributes).
 */
final readonly class CustomerQuery implements Operations
{
    private const CUSTOMERS = 10_000;

    public function __construct(private bool $zipCodes) {}

    /** @return list<Definition> the subjects that answer queries about customers */
    public static function subjects(): array
    {
        $sql = [
            'persistent' => 'yes',
            'protocol' => 'MySQL, prepared by the server, PDO',
            'nodelay' => 'unix socket',
            'compression' => 'none',
            'serializer' => 'none',
            'time-outs' => '5 s, to connect',
        ];
        $memcached = [
            'persistent' => 'yes',
            'protocol' => 'memcached text, ext-memcached',
            'nodelay' => 'yes',
            'compression' => 'none',
            'serializer' => 'JSON',
            'time-outs' => '5 s',
        ];

        return [
            new Definition(
                'eav-array',
                'answers in a PHP array',
                ArrayCustomers::class,
                static fn(): ArrayCustomers => new ArrayCustomers(),
                Kind::None,
                Role::Floor,
                ['persistent' => 'in the process'],
                shared: false,
            ),
            self::sql('eav-sql', 'SQL join, attributes looked up by code in it', false, $sql),
            self::sql('eav-sql-ids', 'SQL join, numbers of attributes looked up once', true, $sql),
            self::memcached('eav-rows', 'rows in memcached, joined in PHP', false, $memcached),
            self::memcached('eav-results', 'answers in memcached', true, $memcached),
        ];
    }

    public function needs(): array
    {
        return [Customers::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof Customers);
        $ids = $job->string('ids', 'source');
        SqlCustomers::ids($ids);
        $subject->install(self::shop($job), $ids, self::page($job));
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Customers);
        $shop = self::shop($job);
        $query = $this->zipCodes ? $subject->zipCodes(...) : $subject->addresses(...);
        $answer = $this->zipCodes ? $shop->zipCodes(...) : $shop->addresses(...);
        $pages = [];
        for ($from = 1, $customers = \count($shop->customers); $from <= $customers; $from += self::page($job)) {
            $to = min($customers, $from + self::page($job) - 1);
            $expected = $answer($from, $to);
            $pages[] = [$from, $to, $expected, \strlen(json_encode($expected, JSON_THROW_ON_ERROR))];
        }
        $last = \count($pages) - 1;
        $random = new Randomizer(new Xoshiro256StarStar($job->seed + $worker));
        $verifier = Verifier::of($job->checked);

        return new Step(static function () use ($query, $pages, $last, $random, $verifier): int {
            [$from, $to, $expected, $bytes] = $pages[$random->getInt(0, $last)];
            $verifier->that($query($from, $to) === $expected, 'rows that are not those of the shop');

            return $bytes;
        });
    }

    private static function shop(Job $job): Shop
    {
        return new Shop($job->int('customers', self::CUSTOMERS));
    }

    /** @return positive-int */
    private static function page(Job $job): int
    {
        $page = $job->int('page', 0);

        return max(1, $page === 0 ? $job->int('customers', self::CUSTOMERS) : $page);
    }

    /** @param array<string, string> $terms */
    private static function sql(string $id, string $title, bool $lookUpOnce, array $terms): Definition
    {
        $make = static fn(): SqlCustomers => new SqlCustomers($lookUpOnce);

        return new Definition(
            $id,
            $title,
            SqlCustomers::class,
            $make,
            Kind::MariaDb,
            Role::Contender,
            $terms,
            ['pdo_mysql'],
        );
    }

    /** @param array<string, string> $terms */
    private static function memcached(string $id, string $title, bool $answers, array $terms): Definition
    {
        $make = static fn(): MemcachedCustomers => new MemcachedCustomers($answers);

        return new Definition(
            $id,
            $title,
            MemcachedCustomers::class,
            $make,
            Kind::Memcached,
            Role::Contender,
            $terms,
            ['memcached'],
        );
    }
}
