<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Store;

/** Takes items away behind everybody's back, as an eviction does, and now and then all of them. */
final readonly class Meddler
{
    private Store $store;

    public function __construct(private Slice $slice, private int $seat)
    {
        $this->store = $slice->shelf->open($seat);
    }

    public function work(): void
    {
        while (!$this->slice->isOver()) {
            $row = mt_rand(0, $this->slice->score->rows - 1);
            match (mt_rand(1, 40)) {
                1 => $this->store->clear(),
                2, 3 => $this->store->delete("\0c"),
                4, 5, 6 => $this->store->delete("\0vitem!"),
                7 => $this->store->delete("known $row"),
                default => $this->store->delete("\0vitem:$row"),
            };
            $this->slice->score->add($this->seat, Count::Losses);
            usleep(mt_rand(0, 6_000));
        }
    }
}
