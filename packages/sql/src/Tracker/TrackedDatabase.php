<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\LaterConnection;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\SecondConnection;
use PDOException;
use Psr\Log\LoggerInterface;

/** @internal The database of a tracked connection, as Larder reaches it. It does not keep the connection. */
final readonly class TrackedDatabase
{
    public function __construct(
        public OwnStatements $own,
        public Registry $registry,
        public Closers $closers,
        private LaterConnection $second,
        public ?LoggerInterface $logger,
    ) {}

    public function dialect(): Dialect
    {
        return $this->own->dialect();
    }

    /** @throws PDOException */
    public function second(): SecondConnection
    {
        return $this->second->open();
    }
}
