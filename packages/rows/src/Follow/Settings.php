<?php

declare(strict_types=1);

namespace Larder\Follow;

use Larder\Follow\Exception\InvalidFollower;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Psr\Log\LoggerInterface;

/**
 * How a follower works, and whom it tells.
 *
 *     settings: new Settings(maxLag: 5.0),
 *
 * @internal
 */
final readonly class Settings
{
    /**
     * @param float    $maxLag   seconds without a sign of the follower, after which no row is handed out
     * @param float    $beat     seconds between two signs
     * @param string   $program  MariaDB: where mariadb-binlog is
     * @param Counters $counters counts what is done
     *
     * @throws InvalidFollower
     */
    public function __construct(
        public float $maxLag = 2.0,
        public float $beat = 0.25,
        public string $program = 'mariadb-binlog',
        public Counters $counters = new NullCounters(),
        public ?LoggerInterface $logger = null,
    ) {
        if (!($beat > 0.0) || !($maxLag > 4 * $beat)) {
            throw InvalidFollower::because(
                'its maxLag is more than four beats, and a beat more than 0 seconds',
            );
        }
    }
}
